import { closedError } from "../closed.ts";
import type { CallLimits, Description, Outcome, SandboxCall } from "../contract.ts";

/** How a thread came to its end, as one of those sees it that were in it. */
export interface ThreadEnd {
  readonly problem: string;
  /** All threads are being ended. */
  readonly isClosing: boolean;
  /** No thread will take up what was in this one. */
  readonly isFinal: boolean;
  /** The scheduler ended it for no fault of its own. */
  readonly isCleared: boolean;
  /** It was executing this one when it ended. */
  readonly wasInside: boolean;
  /** It was, beyond the deadline. */
  readonly isLate: boolean;
}

/** Does what was in the thread answer for its end? A thread that ends under it again and again does so because of it. */
export const isToBlame = ({ isCleared, wasInside }: ThreadEnd, restarts: number, maxRestarts: number): boolean =>
  !isCleared && (wasInside || restarts >= maxRestarts);

function failed(status: Outcome["status"], code: string, text: string): Outcome {
  const name = status === "timeout" ? "TimeoutError" : "Error";
  const error = { code, name, message: text, stack: `${name}: ${text}` };
  return { status, error, durationMs: 0, computeMs: 0, memoryBytes: 0 };
}

/** How a call ended whose thread had to be stopped, or stopped by itself. */
export function endedOutcome({ entry, limits }: SandboxCall, { isLate, problem }: ThreadEnd): Outcome {
  if (!isLate) return failed("error", "sandbox_crashed", `${entry} broke its sandbox and was stopped: ${problem}.`);
  const text = `${entry} ran longer than ${limits.timeoutMs} ms and was stopped.`;
  const outcome = failed("timeout", "sandbox_timeout", text);
  return { ...outcome, durationMs: limits.timeoutMs, computeMs: limits.timeoutMs };
}

/** The same for the description of a module. */
export function endedDescription({ timeoutMs }: CallLimits, { isClosing, isLate, problem }: ThreadEnd): Description {
  if (isClosing) return { ok: false, error: closedError };
  const text = isLate
    ? `Evaluating the module took longer than ${timeoutMs} ms`
    : `Evaluating the module ended the sandbox: ${problem}`;
  const code = isLate ? "sandbox_timeout" : "sandbox_crashed";
  return { ok: false, error: { code, name: "Error", message: text, stack: "" } };
}
