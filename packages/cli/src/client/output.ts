import type { Arguments } from "../arguments/arguments.ts";
import { exitCodes } from "../exit-code.ts";
import { inLine, jsonText, safeText } from "../terminal/visible.ts";

/** Rows as lines, each column as wide as its widest cell. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  }
  return rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** Prints on standard error that a list is empty; standard output stays empty for programs. */
export const printNone = (): void => console.error("(none)");

/** Prints a result as JSON, or as text: a string as it is, an array one item per line. Returns the exit code. */
export function printResult(args: Arguments, json: unknown, text: string | readonly string[]): number {
  if (args.has("json")) console.log(jsonText(json, 2));
  else if (typeof text === "string") console.log(safeText(text));
  else if (text.length > 0) console.log(text.map(inLine).join("\n"));
  else printNone();
  return exitCodes.ok;
}
