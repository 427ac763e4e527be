import { expect, test } from "vitest";

import { assignSlots, type Holder } from "./assignment.ts";

const slots = (...parts: readonly (readonly [Holder, number])[]): Holder[] =>
  parts.flatMap(([holder, count]) => Array.from({ length: count }, () => holder));

const countOf = (holders: readonly Holder[], node: Holder): number =>
  holders.filter((holder) => holder === node).length;

const moves = (before: readonly Holder[], after: readonly Holder[]): number =>
  before.filter((holder, slot) => holder !== after[slot]).length;

test("a node that is alone gets every slot", () => {
  expect(countOf(assignSlots(["a"], slots([null, 1_024])), "a")).toBe(1_024);
});

test("a balanced assignment stays as it is, whatever the order of the nodes", () => {
  const before = slots(["a", 341], ["b", 342], ["c", 341]);
  for (const nodes of [
    ["a", "b", "c"],
    ["c", "b", "a"],
  ])
    expect(assignSlots(nodes, before)).toEqual(before);
});

test("a node that joins gets its share from each of the others, and nothing else moves", () => {
  const before = slots(["a", 512], ["b", 512]);
  const after = assignSlots(["a", "b", "c"], before);
  expect(["a", "b", "c"].map((node) => countOf(after, node)).toSorted((x, y) => x - y)).toEqual([341, 341, 342]);
  expect(moves(before, after)).toBe(countOf(after, "c"));
});

test("the slots of a node that is gone are shared by those that stay, which keep theirs", () => {
  const before = slots(["a", 341], ["b", 342], ["c", 341]);
  const after = assignSlots(["a", "c"], before);
  expect([countOf(after, "a"), countOf(after, "c")]).toEqual([512, 512]);
  expect(moves(before, after)).toBe(342);
});

test("whatever the nodes and the slots, shares differ by one at most and only what must move moves", () => {
  let seed = 7;
  const random = (below: number): number => (seed = (seed * 16_807) % 2_147_483_647) % below;
  for (let round = 0; round < 200; round += 1) {
    const all = Array.from({ length: 1 + random(9) }, (_, n) => `n_${n}`);
    const before = Array.from({ length: 1_024 }, () => (random(10) === 0 ? null : (all[random(all.length)] ?? null)));
    const nodes = all.filter((_, n) => n === 0 || random(3) > 0);
    const after = assignSlots(nodes, before);
    const shares = nodes.map((node) => countOf(after, node));
    expect(shares.reduce((sum, share) => sum + share, 0)).toBe(1_024);
    expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
    // Each node keeps all that it held, up to its share.
    const kept = nodes.map((node) => before.filter((holder, slot) => holder === node && after[slot] === node).length);
    expect(kept).toEqual(nodes.map((node, n) => Math.min(countOf(before, node), shares[n] ?? 0)));
  }
});

test("without nodes no slot has one", () => {
  expect(countOf(assignSlots([], slots(["a", 3])), null)).toBe(3);
});
