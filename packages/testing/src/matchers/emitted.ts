import { HarnessError } from "../harness-error.ts";
import type { Emit } from "../records.ts";
import { counted, shown } from "../shown.ts";
import { align, tableOf } from "./alignment.ts";
import { differences, explainDifferences, matches, written } from "./partial-match.ts";
import { emitHints, readReceived, type Verdict, verdict } from "./received.ts";

export interface EmitFilter {
  /** Only this channel; empty for the default stream. */
  readonly channel?: string;
}

const chosen = (emits: readonly Emit[], { channel }: EmitFilter): readonly Emit[] =>
  channel === undefined ? emits : emits.filter((emit) => emit.channel === channel);

const onChannel = ({ channel }: EmitFilter): string =>
  channel === undefined ? "" : channel === "" ? " on the default stream" : ` on channel "${channel}"`;

/** A list: exactly these events in this order; else: at least one such event, or any at all. */
export function toHaveEmitted(given: unknown, expected?: unknown, filter: EmitFilter = {}): Verdict {
  const received = readReceived("toHaveEmitted", given);
  const events = chosen(received.emits, filter).map(({ event }) => event);
  const where = onChannel(filter);
  if (Array.isArray(expected)) {
    const rows = align(expected, events);
    const pass = rows.every(({ kind }) => kind === "same");
    return verdict(pass, () =>
      pass
        ? `The source has emitted exactly these ${counted(expected.length, "event")}${where}, and should not have:\n${tableOf(rows)}`
        : [
            `Expected ${counted(expected.length, "event")}${where}, the source has emitted ${events.length} (= as expected, - missing, + not expected, ! different):`,
            tableOf(rows),
            ...emitHints(received),
          ],
    );
  }
  if (expected === undefined)
    return verdict(events.length > 0, () => [
      `Expected ${events.length > 0 ? "no event" : "an event"}${where}, the source has emitted ${events.length || "none"}${events.length > 0 ? ":" : "."}`,
      ...events.map((event) => `  ${written(event)}`),
      ...emitHints(received),
    ]);
  const found = events.find((event) => matches(expected, event));
  return verdict(found !== undefined, () =>
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

/** So many events, whatever they are. */
export function toHaveEmittedTimes(given: unknown, times: unknown, filter: EmitFilter = {}): Verdict {
  const received = readReceived("toHaveEmittedTimes", given);
  if (typeof times !== "number")
    throw new HarnessError(`toHaveEmittedTimes takes a number of events, got ${shown(times)}.`);
  const emits = chosen(received.emits, filter);
  return verdict(emits.length === times, () => [
    `Expected ${emits.length === times ? "another number than " : ""}${counted(times, "event")}${onChannel(filter)}, the source has emitted ${emits.length}${emits.length > 0 ? ":" : "."}`,
    ...emits.map(({ event }) => `  ${written(event)}`),
    ...emitHints(received),
  ]);
}
