import type { Outcome } from "./contract.ts";

/** The error of calls that are cancelled or whose runtime is closed. */
export const closedError = { code: "closed", name: "Error", message: "The runtime was closed", stack: "" } as const;

export const closedOutcome = (): Outcome => {
  const error = { ...closedError, stack: `Error: ${closedError.message}` };
  return { status: "error", error, durationMs: 0, computeMs: 0, memoryBytes: 0 };
};
