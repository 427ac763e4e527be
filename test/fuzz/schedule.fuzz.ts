import { isDeepStrictEqual } from "node:util";

import { array, constantFrom, integer, oneof, record } from "fast-check";
import { manualClock } from "@x/runtime";

import { createSchedule } from "../../packages/runtime/src/timers/schedule.ts";
import { defineTarget, type Fuzzer } from "./fuzzer.ts";

type Step = { readonly set: string; readonly at: number } | { readonly remove: string } | { readonly advance: number };

const sourceId = constantFrom("a", "b", "c", "d", "e", "f");
const steps = array(
  oneof(
    { weight: 5, arbitrary: record({ set: sourceId, at: integer({ min: -20, max: 200 }) }, { noNullPrototype: true }) },
    { weight: 1, arbitrary: record({ remove: sourceId }, { noNullPrototype: true }) },
    { weight: 2, arbitrary: record({ advance: integer({ min: 0, max: 60 }) }, { noNullPrototype: true }) },
  ),
  { maxLength: 60, size: "max" },
);

type Fired = readonly [sourceId: string, at: number];

/** The entries as a list: the first is the earliest, and of equal ones the one that was set first. */
function createModel() {
  let entries: { readonly id: string; readonly at: number; readonly turn: number }[] = [];
  let turns = 0;
  return {
    set(id: string, at: number) {
      if (entries.some((entry) => entry.id === id && entry.at === at)) return;
      entries = [...entries.filter((entry) => entry.id !== id), { id, at, turn: turns++ }];
    },
    remove(id: string) {
      entries = entries.filter((entry) => entry.id !== id);
    },
    due(now: number): Fired[] {
      const due = entries.filter(({ at }) => at <= now).toSorted((a, b) => a.at - b.at || a.turn - b.turn);
      entries = entries.filter(({ at }) => at > now);
      return due.map(({ id, at }): Fired => [id, at]);
    },
    next: () => entries.map(({ at }) => at).toSorted((a, b) => a - b)[0],
  };
}

function check(given: readonly Step[]): void {
  const clock = manualClock(1_000_000);
  const fired: Fired[] = [];
  const schedule = createSchedule({ clock, fire: (id, at) => fired.push([id, at]) });
  const model = createModel();
  for (const [index, step] of given.entries()) {
    if ("set" in step) {
      const at = clock.now() + step.at;
      schedule.set(step.set, at);
      model.set(step.set, at);
    } else if ("remove" in step) {
      schedule.remove(step.remove);
      model.remove(step.remove);
    } else {
      clock.jump(step.advance);
      const expected = model.due(clock.now());
      const actual = fired.splice(0);
      if (!isDeepStrictEqual(actual, expected))
        throw new Error(`step ${index} fires ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`);
    }
    if (fired.length === 0 && schedule.next() !== model.next())
      throw new Error(`after step ${index} the next is ${schedule.next()}, not ${model.next()}`);
  }
  schedule.close();
}

export const scheduleFuzzer: Fuzzer = {
  name: "schedule",
  about: "the schedule fires what is due once, in the order of time and of setting",
  runs: 2_000,
  open: async () => defineTarget<readonly Step[]>({ arbitrary: steps, property: check }),
};
