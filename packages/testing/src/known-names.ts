import { didYouMean } from "@x/runtime";

import { HarnessError } from "./harness-error.ts";
import { shown } from "./shown.ts";

/** Throws for a name that is none of these: what it was to change would silently stay as it is. */
export function checkNames(what: string, given: object, known: readonly string[], all = `${what}s`): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const text = `There is no ${what} ${shown(unknown)}; the ${all} are ${known.join(", ")}`;
  throw new HarnessError(`${text}.${didYouMean(unknown, known).replace("(did", "Did").replace(")", "")}`);
}
