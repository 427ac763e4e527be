import { findCodeFrame } from "./code-frame.ts";
import { isToldError } from "./told-error.ts";

/** Adds the author's line to a failure whose stack names one, as `details.frame`. Files are named from the root. */
export function withFailedLine(error: unknown, root: string): unknown {
  if (!isToldError(error)) return error;
  const { stack } = error.details;
  const frame = typeof stack === "string" ? findCodeFrame(stack, root) : undefined;
  if (frame !== undefined) Object.assign(error.details, { frame });
  return error;
}
