import { expect, test } from "vitest";

import { visibleRange } from "./visible-range.ts";

const box = { height: 400, rowHeight: 40, count: 1_000, overscan: 2 };

test("the visible rows are rendered, and some beyond each edge", () => {
  expect(visibleRange({ ...box, top: 0 })).toEqual({ first: 0, last: 12 });
  expect(visibleRange({ ...box, top: 4_020 })).toEqual({ first: 98, last: 113 });
});

test("a list that became shorter than it is scrolled renders its end, or nothing", () => {
  expect(visibleRange({ ...box, top: 40_000, count: 3 })).toEqual({ first: 3, last: 3 });
  expect(visibleRange({ ...box, top: 0, count: 0 })).toEqual({ first: 0, last: 0 });
});
