import type { Dropped } from "../records.ts";
import { counted } from "../shown.ts";
import { align, tableOf } from "./alignment.ts";
import { matches, written } from "./partial-match.ts";
import { readReceived, type Verdict, verdict } from "./received.ts";

/** What a dropped event is compared by. */
export type DroppedLike = { readonly [Field in keyof Dropped]?: unknown };

const lineOf = ({ event, because }: Dropped): string => `${written(event)}: ${because}`;
const listed = (dropped: readonly Dropped[]): string[] => dropped.map((each) => `  ${lineOf(each)}`);

/** A number: so many. A list: exactly these, in order. Else: one such event, or any at all. */
export function toHaveDeduped(given: unknown, expected?: number | DroppedLike | readonly DroppedLike[]): Verdict {
  const { deduped, emits } = readReceived("toHaveDeduped", given);
  const state = (): string[] => [
    ...(deduped.length === 0 ? ["Nothing was dropped."] : [`Dropped were ${deduped.length}:`, ...listed(deduped)]),
    `Emitted were ${emits.length}.`,
  ];
  if (Array.isArray(expected)) {
    const rows = align(expected, deduped);
    const pass = rows.every(({ kind }) => kind === "same");
    return verdict(pass, () => [
      `Expected ${pass ? "other drops than" : "dedupe to have dropped"} exactly ${counted(expected.length, "event")} (= as expected, - missing, + not expected, ! different):`,
      tableOf(rows, (dropped) => lineOf(dropped as Dropped)),
    ]);
  }
  if (typeof expected === "number") {
    const pass = deduped.length === expected;
    return verdict(pass, () => [
      `Expected dedupe ${pass ? "not " : ""}to have dropped ${counted(expected, "event")}.`,
      ...state(),
    ]);
  }
  const pass = deduped.some((dropped) => expected === undefined || matches(expected, dropped));
  const what = expected === undefined ? "an event" : `an event with ${written(expected)}`;
  return verdict(pass, () => [`Expected dedupe ${pass ? "not " : ""}to have dropped ${what}.`, ...state()]);
}
