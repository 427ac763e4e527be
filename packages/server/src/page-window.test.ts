import { expect, test } from "vitest";

import { createPageWindow } from "./page-window.ts";

const windowOf = (fromEnd: boolean, limit: number, bytes: number, sizes: readonly number[]): readonly number[] => {
  const window = createPageWindow<number>({ limit, bytes, fromEnd });
  for (const size of sizes) window.add(size, size);
  expect(window.bytes).toBe(window.items.reduce((sum, size) => sum + size, 0));
  return window.items;
};

test("the first items are kept until one does not fit; later ones are dropped", () => {
  expect(windowOf(false, 10, 8, [5, 2, 4, 1])).toEqual([5, 2]);
  expect(windowOf(false, 2, 100, [5, 2, 4, 1])).toEqual([5, 2]);
  expect(windowOf(false, 10, 8, [9, 1])).toEqual([9]);
  expect(windowOf(false, 10, 8, [])).toEqual([]);
});

test("the last items are kept, as many as fit", () => {
  expect(windowOf(true, 10, 8, [5, 5, 1])).toEqual([5, 1]);
  expect(windowOf(true, 2, 100, [5, 2, 4, 1])).toEqual([4, 1]);
  expect(windowOf(true, 10, 8, [1, 9])).toEqual([9]);
  expect(windowOf(true, 10, 8, [9, 1])).toEqual([1]);
});
