import { guestError } from "../../model/error-catalogue/guest-error.ts";
import type { GuestError } from "../../model/model.ts";
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

const failed = (status: Outcome["status"], error: GuestError, durationMs = 0): Outcome => ({
  status,
  error,
  durationMs,
  computeMs: durationMs,
  memoryBytes: 0,
});

/** How a call ended whose thread had to be stopped, or stopped by itself. */
export function endedOutcome({ entry, limits }: SandboxCall, { isLate, problem }: ThreadEnd): Outcome {
  if (!isLate) return failed("error", guestError("sandbox_crashed", entry, problem));
  return failed("timeout", guestError("sandbox_timeout", entry, String(limits.timeoutMs)), limits.timeoutMs);
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
