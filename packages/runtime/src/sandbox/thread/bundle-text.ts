import { bundleFileName } from "../ops.ts";

/** Gives the module its three names. It stands on the bundle's first line, so that all other lines keep their numbers. */
const opening = "(function(module,exports,require){";

/** A bundle as the engine evaluates it: an expression whose value is the module's function. */
export const bundleText = (code: string): string => `${opening}${code}\n})`;

const place = new RegExp(`(${bundleFileName.replace(".", "\\.")}):(\\d{1,9}):(\\d{1,9})`, "g");

/** Gives a stack of the engine, or a text with one, the columns that the bundle itself has. */
export type BundleStack = (stack: unknown) => string;

/** Of one bundle. QuickJS counts `characters` in a line; Node counts `units` of UTF-16, and so do source maps. */
export function createBundleStack(code: string, counted: "characters" | "units"): BundleStack {
  let wide: ReadonlyMap<number, readonly number[]> | undefined;
  const columnOf = (line: number, column: number): number => {
    const own = line === 1 ? Math.max(1, column - opening.length) : column;
    if (counted === "units") return own;
    wide ??= wideCharacters(code);
    return own + countBelow(wide.get(line) ?? [], own);
  };
  return (stack) =>
    String(stack).replace(
      place,
      (_all, file: string, line: string, column: string) => `${file}:${line}:${columnOf(Number(line), Number(column))}`,
    );
}

/** How many of a rising list's numbers are less. */
function countBelow(rising: readonly number[], limit: number): number {
  let low = 0;
  for (let high = rising.length; low < high;) {
    const middle = (low + high) >> 1;
    if ((rising[middle] ?? limit) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Columns of the characters that are two units long, by line; each counted in characters from 1. */
function wideCharacters(code: string): Map<number, number[]> {
  const found = new Map<number, number[]>();
  let line = 1;
  let lineStart = 0;
  for (const { 0: text, index } of code.matchAll(/\n|[\u{10000}-\u{10FFFF}]/gu)) {
    if (text === "\n") {
      line += 1;
      lineStart = index + 1;
      continue;
    }
    const before = found.get(line) ?? [];
    found.set(line, before);
    before.push(index - lineStart - before.length + 1);
  }
  return found;
}
