import type { Call } from "../traffic/calls.ts";
import { HarnessError } from "../harness-error.ts";
import type { Dropped, Emit, ErrorRecord, Run } from "../records.ts";
import { counted, shown } from "../shown.ts";
import type { SourceUnderTest } from "../under-test.ts";

/** The result of a matcher, as test runners expect it. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** The value given to `expect`: a source under test, or one of its runs. */
export interface Received {
  readonly emits: readonly Emit[];
  readonly deduped: readonly Dropped[];
  readonly errors: readonly ErrorRecord[];
  readonly calls: readonly Call[];
  /** Absent for a run. */
  readonly underWay?: readonly string[];
}

const has = (value: unknown, field: string): boolean => typeof value === "object" && value !== null && field in value;

/** Names a wrong value that was given to `expect`. */
export function describeGiven(given: unknown): string {
  if (given instanceof Promise) return "a promise: await it first";
  if (has(given, "emits")) return has(given, "entry") ? "a run" : "a source or workflow under test";
  return shown(given);
}

/** Reads the value given to `expect`. Throws `HarnessError` for a wrong one. */
export function readReceived(matcher: string, given: unknown): Received {
  if (has(given, "emits") && has(given, "errors")) return given as SourceUnderTest;
  if (has(given, "emits") && has(given, "entry")) {
    const run = given as Run;
    return { ...run, errors: run.error ? [run.error] : [] };
  }
  throw new HarnessError(
    `expect(…).${matcher} takes a source under test or one of its runs, got ${describeGiven(given)}.`,
  );
}

export const matcherResult = (pass: boolean, message: () => string | readonly string[]): MatcherResult => ({
  pass,
  message: () => [message()].flat().join("\n"),
});

const maxNamed = 5;

const named = <T>(list: readonly T[], text: (item: T) => string): string[] => [
  ...list.slice(0, maxNamed).map((item) => `  ${text(item)}`),
  ...(list.length > maxNamed ? [`  and ${list.length - maxNamed} more`] : []),
];

/** Likely causes of missing effects: a step that is not awaited, or errors of the component. */
export function failureHints({ errors, underWay = [] }: Pick<Received, "errors" | "underWay">): string[] {
  const [step] = underWay;
  if (step !== undefined) return [`The step "${step}" has not ended: await it.`];
  if (errors.length === 0) return [];
  return [
    "The component failed:",
    ...named(errors, ({ entry, name, message, stack }) => {
      const frame = /^ +(at .*)$/m.exec(stack)?.[1];
      return `${entry}: ${name}: ${message}${frame === undefined ? "" : ` ${frame}`}`;
    }),
  ];
}

/** Likely causes of missing events: those of `failureHints`, and events that dedupe dropped. */
export function emitHints(received: Received): string[] {
  const { deduped } = received;
  return [
    ...failureHints(received),
    ...(deduped.length > 0 ? [`Dedupe dropped ${counted(deduped.length, "event")}:`] : []),
    ...named(deduped, ({ event, because }) => `${shown(event, 80)}: ${because}`),
  ];
}
