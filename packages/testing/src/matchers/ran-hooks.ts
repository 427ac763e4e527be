import type { EntryName } from "../records.ts";
import { HarnessError } from "../harness-error.ts";
import type { SourceUnderTest } from "../source-under-test.ts";
import { align, tableOf } from "./alignment.ts";
import { failureHints, toldGiven, type Verdict, verdict } from "./received.ts";

/** Exactly these hooks in this order; hooks that the component does not have do not run. */
export function toHaveRunHooks(given: unknown, expected: readonly EntryName[]): Verdict {
  if (typeof given !== "object" || given === null || !("hooks" in given))
    throw new HarnessError(`expect(…).toHaveRunHooks takes a source under test, got ${toldGiven(given)}.`);
  const received = given as SourceUnderTest;
  const rows = align(expected, received.hooks);
  const pass = rows.every(({ kind }) => kind === "same");
  return verdict(pass, () => [
    `Expected ${pass ? "other hooks" : "these hooks"} (= as expected, - missing, + not expected, ! different):`,
    tableOf(rows),
    ...failureHints(received),
  ]);
}
