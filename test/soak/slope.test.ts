import { expect, test } from "vitest";

import { middlesOf, slopeOf } from "./slope.ts";

const hour = 3_600_000;

test("a straight line has its slope, without an error", () => {
  const slope = slopeOf([0, 1, 2, 3].map((n) => ({ at: (n * hour) / 2, value: 10 + 3 * n })));
  expect(slope?.perHour).toBeCloseTo(6);
  expect(slope?.error).toBeCloseTo(0);
});

test("samples around a level have no slope, and an error that shrinks with their number", () => {
  const around = (count: number): ReturnType<typeof slopeOf> =>
    slopeOf(Array.from({ length: count }, (_, n) => ({ at: (n * hour) / count, value: [1, -1, -1, 1][n % 4] ?? 0 })));
  const [few, many] = [around(8), around(400)];
  expect(Math.abs(many?.perHour ?? Number.NaN)).toBeLessThan(0.1);
  expect(many?.error).toBeLessThan((few?.error ?? 0) / 5);
});

test("fewer than three samples, and samples of one time, have no slope", () => {
  expect(slopeOf([1, 2].map((n) => ({ at: n, value: n })))).toBeUndefined();
  expect(slopeOf([1, 2, 3].map((n) => ({ at: 0, value: n })))).toBeUndefined();
});

test("a group counts by its middle sample, so that a single large one does not matter", () => {
  const samples = [1, 90, 2, 4, 3, 5, 7].map((value, at) => ({ at, value }));
  expect(middlesOf(samples, 3)).toEqual([
    { at: 2, value: 2 },
    { at: 3, value: 4 },
  ]);
});
