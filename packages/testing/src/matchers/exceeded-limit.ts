import { HarnessError } from "../harness-error.ts";
import { shown } from "../shown.ts";
import { readReceived, type Verdict, verdict } from "./received.ts";

/** What is bounded, by the codes and names of its errors. */
const limits = {
  time: ["sandbox_timeout"],
  memory: ["sandbox_out_of_memory"],
  emits: ["EmitLimitError"],
  "emit size": ["EmitTooLargeError", "EmitTooDeepError"],
  db: ["DbTooLargeError", "DbValueTooLargeError", "DbKeyTooLongError"],
  timers: ["TimerLimitError"],
  requests: ["FetchLimitError"],
} as const;

export type LimitName = keyof typeof limits | "cpu";

interface Failure {
  readonly code: string;
  readonly name: string;
  readonly message: string;
}

function codesOf(limit: keyof typeof limits | undefined): readonly string[] {
  if (limit === undefined) return Object.values(limits).flat();
  if (Object.hasOwn(limits, limit)) return limits[limit];
  throw new HarnessError(`There is no limit ${shown(limit)}; the limits are ${Object.keys(limits).join(", ")}.`);
}

/** A step that was not awaited, a function that takes one, or the source with the errors it has had. */
export async function toExceedLimit(given: unknown, limit?: LimitName): Promise<Verdict> {
  const known = limit === "cpu" ? "time" : limit;
  // The step first: nobody else waits for it.
  const failures = await failuresOf(given);
  const codes = codesOf(known);
  const pass = failures.some(({ code, name }) => codes.some((each) => each === code || name.endsWith(each)));
  const ended = failures.map(({ code, message }) => `  ${code}: ${message}`);
  return verdict(pass, () => [
    `Expected ${known === undefined ? "a limit" : `the limit "${known}"`} ${pass ? "not " : ""}to be exceeded.`,
    ended.length === 0 ? "The component did not fail." : "The component failed with:",
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
