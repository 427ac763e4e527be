import type { Call } from "../traffic/calls.ts";
import { HarnessError } from "../harness-error.ts";
import type { Dropped, Emit, ErrorRecord, Run } from "../records.ts";
import { counted, shown } from "../shown.ts";
import type { SourceUnderTest } from "../source-under-test.ts";

/** What a matcher answers. */
export interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
}

/** A source under test, or one run of it. */
export interface Received {
  readonly emits: readonly Emit[];
  readonly deduped: readonly Dropped[];
  readonly errors: readonly ErrorRecord[];
  readonly calls: readonly Call[];
  /** Absent for a run, which has ended. */
  readonly underWay?: readonly string[];
}

const has = (value: unknown, field: string): boolean => typeof value === "object" && value !== null && field in value;

/** What was given to `expect` in place of what a matcher takes. */
export function toldGiven(given: unknown): string {
  if (given instanceof Promise) return "a promise: await it first";
  if (has(given, "emits")) return has(given, "entry") ? "a run" : "a source or workflow under test";
  return shown(given);
}

/** Reads what was given to `expect`. Throws when it is something else. */
export function readReceived(matcher: string, given: unknown): Received {
  if (has(given, "emits") && has(given, "errors")) return given as SourceUnderTest;
  if (has(given, "emits") && has(given, "entry")) {
    const run = given as Run;
    return { ...run, errors: run.error ? [run.error] : [] };
  }
  throw new HarnessError(`expect(…).${matcher} takes a source under test or one of its runs, got ${toldGiven(given)}.`);
}

/** Fails by saying what was wanted, what there was, and what may explain it. */
export const verdict = (pass: boolean, message: () => string | readonly string[]): Verdict => ({
  pass,
  message: () => [message()].flat().join("\n"),
});

const mostNamed = 5;

const named = <T>(list: readonly T[], text: (item: T) => string): string[] => [
  ...list.slice(0, mostNamed).map((item) => `  ${text(item)}`),
  ...(list.length > mostNamed ? [`  and ${list.length - mostNamed} more`] : []),
];

/** What the component threw, or has not done yet: it explains most of what is missing. */
export function failureHints({ errors, underWay = [] }: Pick<Received, "errors" | "underWay">): string[] {
  const [step] = underWay;
  if (step !== undefined) return [`The step "${step}" has not ended: await it.`];
  if (errors.length === 0) return [];
  return [
    "The component failed:",
    ...named(errors, ({ entry, name, message, stack }) => {
      const frame = /^\s+(at .*)$/m.exec(stack)?.[1];
      return `${entry}: ${name}: ${message}${frame === undefined ? "" : ` ${frame}`}`;
    }),
  ];
}

/** What explains that events are missing: errors, and events that dedupe dropped. */
export function emitHints(received: Received): string[] {
  const { deduped } = received;
  return [
    ...failureHints(received),
    ...(deduped.length > 0 ? [`Dedupe dropped ${counted(deduped.length, "event")}:`] : []),
    ...named(deduped, ({ event, because }) => `${shown(event, 80)}: ${because}`),
  ];
}
