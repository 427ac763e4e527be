import { expect, test } from "vitest";

import { countWithin } from "./byte-cut.ts";

const within = (sizes: readonly number[], most: number): number => countWithin(sizes, (size) => size, most);

test("a page has the items that fit, and at least one", () => {
  expect(within([], 8)).toBe(0);
  expect(within([9, 1], 8)).toBe(1);
  expect(within([9], 0)).toBe(1);
  expect(within([4, 4, 1], 8)).toBe(2);
  expect(within([4, 5], 8)).toBe(1);
  expect(within([0, 0, 0], 0)).toBe(3);
  expect(within([1, 2, 3], Number.POSITIVE_INFINITY)).toBe(3);
});
