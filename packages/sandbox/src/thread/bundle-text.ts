import { bundleFileName } from "../ops.ts";

/** Declares the module's three names. It is on the bundle's first line, so that line numbers stay the same. */
const opening = "(function(module,exports,require){";

/** The text of a bundle that the engine evaluates: an expression whose value is the module's function. */
export const bundleText = (code: string): string => `${opening}${code}\n})`;

const location = new RegExp(`(${bundleFileName.replace(".", "\\.")}):(\\d{1,9}):(\\d{1,9})`, "g");

/** Maps the columns in a stack of the engine, or in a text that contains one, to those of the bundle. */
export type BundleStack = (stack: unknown) => string;

/** For one bundle. QuickJS counts the `characters` of a line; Node and source maps count `units` of UTF-16. */
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
      location,
      (_all, file: string, line: string, column: string) => `${file}:${line}:${columnOf(Number(line), Number(column))}`,
    );
}

/** How many numbers of an ascending list are below the limit. */
function countBelow(ascending: readonly number[], limit: number): number {
  let low = 0;
  for (let high = ascending.length; low < high;) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? limit) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Columns of the characters that are two units long, by line; counted in characters from 1. */
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
