import type { Arguments } from "../given/arguments.ts";
import { exitCodes } from "../exit-code.ts";
import { safeText } from "../terminal/terminal-text.ts";

/** Says that a list is empty, beside the output: what reads the list reads nothing. */
export const tellNone = (): void => console.error("(none)");

/** Prints what was done, as JSON or to be read; gives the exit code. */
export function printed(given: Arguments, json: unknown, text: string | readonly string[]): number {
  const lines = typeof text === "string" ? [text] : text;
  if (given.has("json")) console.log(JSON.stringify(json, null, 2));
  else if (lines.length > 0) console.log(safeText(lines.join("\n")));
  else tellNone();
  return exitCodes.ok;
}
