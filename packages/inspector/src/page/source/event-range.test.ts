import { expect, test } from "vitest";

import { isPassed, type RangeEvent, rangeOf, withEvents } from "./event-range.ts";

const events = (...times: number[]): RangeEvent[] =>
  times.map((at) => ({ id: `${at}-0`, indexed_at_ms: at, metadata: { emit_id: "", name: "", emitter_id: "" } }));
const preview = (pages: readonly RangeEvent[][], range: Parameters<typeof withEvents>[2]): unknown => {
  const { count, first, last } = pages.reduce((found, page) => withEvents(found, page, range), {
    count: 0,
  } as ReturnType<typeof withEvents>);
  return [count, first?.id, last?.id];
};

test("a preview counts the events of a range over pages, and knows the oldest and the newest one", () => {
  const pages = [events(9, 8), events(7, 6), events(5)];
  expect(preview(pages, {})).toEqual([5, "5-0", "9-0"]);
  expect(preview(pages, { since: 6, until: 8 })).toEqual([3, "6-0", "8-0"]);
  expect(preview(pages, { until: 5 })).toEqual([1, "5-0", "5-0"]);
  expect(preview(pages, { since: 10 })).toEqual([0, undefined, undefined]);
  expect(preview([], {})).toEqual([0, undefined, undefined]);
});

test("older events are not asked for when a page has one before the range", () => {
  expect(isPassed(events(9, 8), { since: 8 })).toBe(false);
  expect(isPassed(events(9, 7), { since: 8 })).toBe(true);
  expect(isPassed(events(9, 7), { until: 3 })).toBe(false);
  expect(isPassed([], { since: 8 })).toBe(false);
});

test("the fields for times are local and open when they are empty, and the last second belongs to the range", () => {
  const at = new Date(2026, 0, 2, 3, 4, 5).getTime();
  expect(rangeOf("2026-01-02T03:04:05", "2026-01-02T03:04:05")).toEqual({ since: at, until: at + 999 });
  expect(rangeOf("", "")).toEqual({});
});
