import { bundleFileName } from "../ops.ts";

/** Gives the module its three names. It stands on the bundle's first line, so that all other lines keep their numbers. */
const opening = "(function(module,exports,require){";

/** A bundle as the engine evaluates it: an expression whose value is the module's function. */
export const bundleText = (code: string): string => `${opening}${code}\n})`;

const firstLine = new RegExp(`(${bundleFileName.replace(".", "\\.")}:1:)(\\d{1,9})`, "g");

/** A stack of the engine with the columns that the bundle itself has. */
export const bundleStack = (stack: unknown): string =>
  String(stack).replace(
    firstLine,
    (_all, place: string, column: string) => place + Math.max(1, Number(column) - opening.length),
  );
