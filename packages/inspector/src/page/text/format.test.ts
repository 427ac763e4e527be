import { expect, test } from "vitest";

import { plural, relative, size, span } from "./format.ts";

test("spans of time have at most two units", () => {
  const cases = [0, 12.4, 1_500, 12_400, 61_000, 3_600_000, 3_900_000, 90_000_000];
  expect(cases.map(span)).toEqual(["0 ms", "12 ms", "1.5 s", "12 s", "1 min", "1 h", "1 h 5 min", "1 d"]);
});

test("times are relative to now", () => {
  const cases = [0, 900, 5_000, -5_000, -61_000, 7_200_000];
  expect(cases.map((distance) => relative(1_000_000 + distance, 1_000_000))).toEqual([
    "now",
    "now",
    "in 5 s",
    "5 s ago",
    "1 min ago",
    "in 2 h",
  ]);
});

test("sizes and counts are short", () => {
  expect([size(999), size(1_540), size(15_400), size(2_500_000)]).toEqual(["999 B", "1.5 kB", "15 kB", "2.5 MB"]);
  expect([plural(1, "source"), plural(12_000, "source")]).toEqual(["1 source", "12,000 sources"]);
});
