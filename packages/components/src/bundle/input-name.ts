import { basename, posix } from "node:path";

import type { LocalCode } from "../contract.ts";

/** What messages call code that has not said its name yet. */
export function inputName(input: LocalCode): string {
  if ("code" in input) return "component.js";
  return "entry" in input ? posix.basename(input.entry) : basename(input.file);
}
