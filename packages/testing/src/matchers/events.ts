import { HarnessError } from "../harness-error.ts";
import type { Dropped, Emit } from "../records.ts";
import { counted, shown } from "../shown.ts";
import { align, tableOf } from "./alignment.ts";
import { differences, explainDifferences, matches, written } from "./partial-match.ts";
import { emitHints, type MatcherResult, matcherResult, readReceived } from "./received.ts";

export interface EmitFilter {
  /** Only events of this channel; empty for the default stream. */
  readonly channel?: string;
}

const onlyChannel = (emits: readonly Emit[], { channel }: EmitFilter): readonly Emit[] =>
  channel === undefined ? emits : emits.filter((emit) => emit.channel === channel);

const onChannel = ({ channel }: EmitFilter): string =>
  channel === undefined ? "" : channel === "" ? " on the default stream" : ` on channel "${channel}"`;

/** A list: exactly these events in this order. A value: at least one matching event. Nothing: at least one event. */
export function toHaveEmitted(given: unknown, expected?: unknown, filter: EmitFilter = {}): MatcherResult {
  const received = readReceived("toHaveEmitted", given);
  const events = onlyChannel(received.emits, filter).map(({ event }) => event);
  const where = onChannel(filter);
  if (Array.isArray(expected)) {
    const rows = align(expected, events);
    const pass = rows.every(({ kind }) => kind === "same");
    return matcherResult(pass, () =>
      pass
        ? `Expected other events than exactly these ${counted(expected.length, "event")}${where}:\n${tableOf(rows)}`
        : [
            `Expected ${counted(expected.length, "event")}${where}, the source emitted ${events.length} (= as expected, - missing, + not expected, ! different):`,
            tableOf(rows),
            ...emitHints(received),
          ],
    );
  }
  if (expected === undefined)
    return matcherResult(events.length > 0, () => [
      `Expected ${events.length > 0 ? "no event" : "an event"}${where}, the source emitted ${events.length || "none"}${events.length > 0 ? ":" : "."}`,
      ...events.map((event) => `  ${written(event)}`),
      ...emitHints(received),
    ]);
  const found = events.find((event) => matches(expected, event));
  return matcherResult(found !== undefined, () =>
    found === undefined
      ? [
          `Expected an event like ${written(expected)}${where}; ${events.length === 0 ? "nothing was emitted." : `none of ${counted(events.length, "event")} is:`}`,
          ...events.map((event) => {
            const [why = ""] = explainDifferences(differences(expected, event));
            return `  ! ${written(event, 100)}   ${why}`;
          }),
          ...emitHints(received),
        ]
      : `Expected no event like ${written(expected)}${where}, got ${written(found)}.`,
  );
}

/** Exactly this number of events. */
export function toHaveEmittedTimes(given: unknown, times: unknown, filter: EmitFilter = {}): MatcherResult {
  const received = readReceived("toHaveEmittedTimes", given);
  if (typeof times !== "number")
    throw new HarnessError(`toHaveEmittedTimes takes a number of events, got ${shown(times)}.`);
  const emits = onlyChannel(received.emits, filter);
  return matcherResult(emits.length === times, () => [
    `Expected ${emits.length === times ? "another number than " : ""}${counted(times, "event")}${onChannel(filter)}, the source emitted ${emits.length}${emits.length > 0 ? ":" : "."}`,
    ...emits.map(({ event }) => `  ${written(event)}`),
    ...emitHints(received),
  ]);
}

/** Expected fields of a dropped event. */
export type DroppedLike = { readonly [Field in keyof Dropped]?: unknown };

const lineOf = ({ event, because }: Dropped): string => `${written(event)}: ${because}`;
const listed = (dropped: readonly Dropped[]): string[] => dropped.map((each) => `  ${lineOf(each)}`);

/** A number: so many dropped events. A list: exactly these in this order. A value: at least one matching. Nothing: any. */
export function toHaveDeduped(given: unknown, expected?: number | DroppedLike | readonly DroppedLike[]): MatcherResult {
  const { deduped, emits } = readReceived("toHaveDeduped", given);
  const state = (): string[] => [
    ...(deduped.length === 0 ? ["Dedupe dropped none."] : [`Dedupe dropped ${deduped.length}:`, ...listed(deduped)]),
    `The source emitted ${emits.length}.`,
  ];
  if (Array.isArray(expected)) {
    const rows = align(expected, deduped);
    const pass = rows.every(({ kind }) => kind === "same");
    return matcherResult(pass, () => [
      `Expected ${pass ? "other drops than" : "dedupe to have dropped"} exactly ${counted(expected.length, "event")} (= as expected, - missing, + not expected, ! different):`,
      tableOf(rows, (dropped) => lineOf(dropped as Dropped)),
    ]);
  }
  if (typeof expected === "number") {
    const pass = deduped.length === expected;
    return matcherResult(pass, () => [
      `Expected dedupe ${pass ? "not " : ""}to have dropped ${counted(expected, "event")}.`,
      ...state(),
    ]);
  }
  const pass = deduped.some((dropped) => expected === undefined || matches(expected, dropped));
  const what = expected === undefined ? "an event" : `an event with ${written(expected)}`;
  return matcherResult(pass, () => [`Expected dedupe ${pass ? "not " : ""}to have dropped ${what}.`, ...state()]);
}
