import type { Arguments } from "../given/arguments.ts";
import { exitCodes } from "../exit-code.ts";
import { inLine, jsonText, safeText } from "../terminal/visible.ts";

/** Says that a list is empty, beside the output: what reads the list reads nothing. */
export const tellNone = (): void => console.error("(none)");

/** Prints what was done, as JSON or to be read: a text with its lines, or one line each; gives the exit code. */
export function printed(given: Arguments, json: unknown, text: string | readonly string[]): number {
  if (given.has("json")) console.log(jsonText(json, 2));
  else if (typeof text === "string") console.log(safeText(text));
  else if (text.length > 0) console.log(text.map(inLine).join("\n"));
  else tellNone();
  return exitCodes.ok;
}
