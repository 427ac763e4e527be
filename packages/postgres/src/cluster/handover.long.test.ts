import { expect, test } from "vitest";

import { createHandover } from "./handover.ts";

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, n) => from + n);

test("slots without recent runs go at once, the others in waves of a tenth of a second", () => {
  const handover = createHandover();
  const rules = { usedSlots: () => new Set([1, 3, 5]), targets: Array<string>(500).fill("a"), isReady: () => true };
  expect(handover.next(range(0, 6), rules, 1_000)).toEqual({ slots: [0, 1, 2, 4], waitMs: 100 });
  expect(handover.next([3, 5], rules, 1_030)).toEqual({ slots: [], waitMs: 70 });
  expect(handover.next([3, 5], rules, 1_100)).toEqual({ slots: [3], waitMs: 100 });
  expect(handover.next([5], rules, 1_250)).toEqual({ slots: [5], waitMs: undefined });
});

test("any number of slots goes in twenty waves", () => {
  const handover = createHandover();
  const rules = { usedSlots: () => new Set(range(0, 500)), targets: Array<string>(500).fill("a"), isReady: () => true };
  let leaving: readonly number[] = range(0, 500);
  let count = 0;
  for (let now = 0; leaving.length > 0; now += 100) {
    const { slots } = handover.next(leaving, rules, now);
    leaving = leaving.filter((slot) => !slots.includes(slot));
    count += 1;
  }
  expect(count).toBe(20);
  // The next move begins anew.
  expect(handover.next([], rules, 3_000).slots).toEqual([]);
  expect(handover.next([7, 8], rules, 3_000).slots).toEqual([7]);
});

test("slots with recent runs wait until their node has been there for a while", () => {
  const handover = createHandover();
  const ready = new Set(["b"]);
  const targets = [null, "a", "a", "a", "b"];
  const rules = { usedSlots: () => new Set([2, 3, 4]), targets, isReady: (id: string) => ready.has(id) };
  expect(handover.next([1, 2, 3, 4], rules, 0)).toEqual({ slots: [1, 4], waitMs: 100 });
  expect(handover.next([2, 3], rules, 100)).toEqual({ slots: [], waitMs: 100 });
  ready.add("a");
  expect(handover.next([2, 3], rules, 200)).toEqual({ slots: [2], waitMs: 100 });
});

test("the last node gives everything away at once", () => {
  const rules = { usedSlots: () => new Set([1, 2]), targets: [null, null, null], isReady: () => false };
  expect(createHandover().next([0, 1, 2], rules, 0)).toEqual({ slots: [0, 1, 2], waitMs: undefined });
});
