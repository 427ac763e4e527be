import { expect, test } from "vitest";

import { findStalest, fitsBeside, type Keeping } from "./budget-rules.ts";

test("what is alone fits whatever its size, beside others only within the bound", () => {
  expect(fitsBeside(0, 100, 10)).toBe(true);
  expect(fitsBeside(4, 6, 10)).toBe(true);
  expect(fitsBeside(4, 7, 10)).toBe(false);
  expect(fitsBeside(12, 0, 10)).toBe(false);
});

test("the one that stands still the longest is found, among those that are not moving and keep something", () => {
  const kept = (holder: string, bytes: number, movedAt: number): Keeping => ({ holder, bytes, movedAt });
  const all = [kept("a", 0, 0), kept("a", 5, 40), kept("b", 5, 10), kept("a", 5, 20), kept("b", 5, 99)];
  expect(findStalest(all, { now: 100, patienceMs: 50 })).toBe(all[2]);
  expect(findStalest(all, { now: 100, patienceMs: 50, holder: "a" })).toBe(all[3]);
  expect(findStalest(all, { now: 100, patienceMs: 95 })).toBeUndefined();
});
