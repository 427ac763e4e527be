import { HarnessError } from "../harness-error.ts";
import type { EntryName, ErrorRecord } from "../records.ts";
import { shown } from "../shown.ts";
import type { SourceUnderTest } from "../under-test.ts";
import { align, tableOf } from "./alignment.ts";
import { describeGiven, failureHints, type MatcherResult, matcherResult, readReceived } from "./received.ts";

/** Exactly these hooks in this order. */
export function toHaveRunHooks(given: unknown, expected: readonly EntryName[]): MatcherResult {
  if (typeof given !== "object" || given === null || !("hooks" in given))
    throw new HarnessError(`expect(…).toHaveRunHooks takes a source under test, got ${describeGiven(given)}.`);
  const received = given as SourceUnderTest;
  const rows = align(expected, received.hooks);
  const pass = rows.every(({ kind }) => kind === "same");
  return matcherResult(pass, () => [
    `Expected ${pass ? "other hooks" : "these hooks"} (= as expected, - missing, + not expected, ! different):`,
    tableOf(rows),
    ...failureHints(received),
  ]);
}

/** The limits, with the codes and names of their errors. */
const limits = {
  time: ["sandbox_timeout"],
  memory: ["sandbox_out_of_memory"],
  emits: ["EmitLimitError"],
  "emit size": ["EmitTooLargeError", "EmitTooDeepError"],
  db: ["DbTooLargeError", "DbValueTooLargeError", "DbKeyTooLongError"],
  "data store": ["DataStoreTooLargeError", "DataStoreValueTooLargeError", "DataStoreKeyTooLongError"],
  timers: ["TimerLimitError"],
  requests: ["FetchLimitError"],
} as const;

export type LimitName = keyof typeof limits | "cpu";

type Failure = Pick<ErrorRecord, "code" | "name" | "message">;

function codesOf(limit: keyof typeof limits | undefined): readonly string[] {
  if (limit === undefined) return Object.values(limits).flat();
  if (Object.hasOwn(limits, limit)) return limits[limit];
  throw new HarnessError(`There is no limit ${shown(limit)}; the limits are ${Object.keys(limits).join(", ")}.`);
}

/** `given`: the promise of a step, a function that returns one, or a source with its errors. */
export async function toExceedLimit(given: unknown, limit?: LimitName): Promise<MatcherResult> {
  const known = limit === "cpu" ? "time" : limit;
  // Before `codesOf`, which may throw: nothing else awaits the step.
  const failures = await failuresOf(given);
  const codes = codesOf(known);
  const pass = failures.some(({ code, name }) => codes.some((each) => each === code || name.endsWith(each)));
  const ended = failures.map(({ code, message }) => `  ${code}: ${message}`);
  return matcherResult(pass, () => [
    `Expected ${known === undefined ? "a limit" : `the limit "${known}"`} ${pass ? "not " : ""}to be exceeded.`,
    ended.length === 0 ? "The component did not fail." : "The component failed:",
    ...ended,
  ]);
}

async function failuresOf(given: unknown): Promise<readonly Failure[]> {
  const step: unknown = typeof given === "function" ? (given as () => unknown)() : given;
  if (step instanceof Promise) {
    try {
      await step;
      return [];
    } catch (error) {
      if (error instanceof Error && "code" in error) return [error as Error & Failure];
      throw error;
    }
  }
  return readReceived("toExceedLimit", step).errors;
}
