import { inspect } from "node:util";

import { createLogger } from "./terminal/logger.ts";
import { hanging } from "./terminal/visible.ts";

/** The end of this process by an error that nothing caught. */
export interface Crash {
  /** Aborted by the first such error. */
  readonly signal: AbortSignal;
  /** From here on such errors are printed as a service prints its log with --json-logs. */
  logJson(): void;
}

const message = "nothing caught this error, so the process ends";
const exitCode = 4;

/**
 * Ends this process with exit code 4 when nothing catches an error or a rejection, `graceMs` later, whatever is under way then.
 * Its state is unknown: nothing is closed, and the next start finds what a killed process leaves.
 */
export function endOnUncaught(graceMs: number): Crash {
  const controller = new AbortController();
  let isJson = false;
  const report = (error: string): void => {
    if (isJson) createLogger(true).error(message, { error });
    else console.error(hanging(`error: ${message}: ${error}`, "  "));
  };
  // Without a listener of its own, a rejection that nothing handles becomes such an exception.
  process.on("uncaughtException", (error: unknown) => {
    if (!controller.signal.aborted) {
      setTimeout(() => process.exit(), graceMs);
      // Also when a command ends the process meanwhile.
      process.once("exit", () => (process.exitCode = exitCode));
      controller.abort(error);
    }
    report(inspect(error, { depth: 1 }));
  });
  return { signal: controller.signal, logJson: () => (isJson = true) };
}
