import { expect, test } from "vitest";

import { createBuckets, durationBounds, sizeBounds } from "./histogram.ts";

test("a value is counted in the first bucket whose bound it does not exceed", () => {
  const buckets = createBuckets([1, 10]);
  for (const value of [0, 1, 1.5, 10, 11, 100]) buckets.add(value);
  expect(buckets.read()).toEqual({ bounds: [1, 10], counts: [2, 2, 2], count: 6, sum: 123.5 });
});

test("what was read does not change later", () => {
  const buckets = createBuckets([1]);
  const before = buckets.read();
  buckets.add(1);
  expect(before.counts).toEqual([0, 0]);
  expect(buckets.read().counts).toEqual([1, 0]);
});

test("the bounds ascend", () => {
  for (const bounds of [durationBounds, sizeBounds]) expect(bounds.toSorted((a, b) => a - b)).toEqual(bounds);
});
