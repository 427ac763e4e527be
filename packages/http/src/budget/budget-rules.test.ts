import { expect, test } from "vitest";

import { findStalest, fitsBeside, type Keeping } from "./budget-rules.ts";

test("a single reservation always fits, beside others only within the limit", () => {
  expect(fitsBeside(0, 100, 10)).toBe(true);
  expect(fitsBeside(4, 6, 10)).toBe(true);
  expect(fitsBeside(4, 7, 10)).toBe(false);
  expect(fitsBeside(12, 0, 10)).toBe(false);
});

test("finds the non-empty reservation without progress for the longest time", () => {
  const kept = (holder: string, bytes: number, movedAt: number): Keeping => ({ holder, bytes, movedAt });
  const all = [kept("a", 0, 0), kept("a", 5, 40), kept("b", 5, 10), kept("a", 5, 20), kept("b", 5, 99)];
  expect(findStalest(all, { now: 100, patienceMs: 50 })).toBe(all[2]);
  expect(findStalest(all, { now: 100, patienceMs: 50, holder: "a" })).toBe(all[3]);
  expect(findStalest(all, { now: 100, patienceMs: 95 })).toBeUndefined();
});
