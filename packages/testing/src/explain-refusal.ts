import { XError } from "@x/runtime";

import { ComponentError } from "./component-error.ts";
import type { ErrorRecord } from "./records.ts";

/** A hook that failed is what the component threw; a refusal names all its problems, where the runtime's text names some. */
export function explainRefusal(error: unknown, thrown: ErrorRecord | undefined): unknown {
  if (!XError.is(error)) return error;
  if (error.code === "hook_failed" && thrown) return new ComponentError(thrown);
  const untold = (error.details.errors ?? []).filter(({ message }) => !error.message.includes(message));
  if (untold.length > 0) error.message += `\nAlso: ${untold.map(({ message }) => message).join("; ")}`;
  return error;
}
