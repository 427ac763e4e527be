import type { Outcome } from "./contract.ts";

/** What a call ends with whose runtime is closed, or that nobody waits for any more. */
export const closedError = { code: "closed", name: "Error", message: "The runtime was closed", stack: "" } as const;

export const closedOutcome = (): Outcome => {
  const error = { ...closedError, stack: `Error: ${closedError.message}` };
  return { status: "error", error, durationMs: 0, computeMs: 0, memoryBytes: 0 };
};
