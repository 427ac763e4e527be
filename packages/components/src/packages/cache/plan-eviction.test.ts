import { expect, test } from "vitest";

import { type CacheContent, type CachedTree, planEviction } from "./plan-eviction.ts";

const hour = 60 * 60 * 1000;
const now = 100 * hour;
const item = (id: string, bytes: number, hoursAgo: number) => ({ id, bytes, usedAt: now - hoursAgo * hour });
const tree = (id: string, hoursAgo: number, shared: readonly string[] = []): CachedTree => ({
  ...item(id, 1, hoursAgo),
  shared,
});

/** What is removed, as ids. */
function evicted(content: Partial<CacheContent>, maxBytes: number, needed: readonly string[] = []): string[] {
  const all = { trees: [], packages: [], archives: [], ...content };
  const { trees, packages, archives } = planEviction(all, { maxBytes, now, needed: new Set(needed) });
  return [...archives, ...packages, ...trees].map(({ id }) => id).toSorted();
}

const packages = [item("both", 100, 5), item("one", 100, 5), item("two", 100, 5), item("none", 100, 5)];
const trees = [tree("T1", 9, ["both", "one"]), tree("T2", 8, ["both", "two"])];

test.each([
  [402, []],
  [401, ["none"]],
  [302, ["none"]],
  [301, ["T1", "none", "one"]],
  [201, ["T1", "none", "one"]],
  [200, ["T1", "T2", "both", "none", "one", "two"]],
  [0, ["T1", "T2", "both", "none", "one", "two"]],
])("packages of no tree go first, then trees with the packages that only they have: at most %i", (maxBytes, gone) => {
  expect(evicted({ trees, packages }, maxBytes)).toEqual(gone);
});

test("a needed tree keeps its packages, and so does one of the last hour", () => {
  expect(evicted({ trees, packages }, 0, ["T1"])).toEqual(["T2", "none", "two"]);
  const fresh = [tree("T1", 0.5, ["both", "one"]), tree("T2", 8, ["both", "two"])];
  expect(evicted({ trees: fresh, packages }, 0)).toEqual(["T2", "none", "two"]);
});

test("a package of the last hour stays without a tree: one that needs it is being made", () => {
  expect(evicted({ packages: [item("new", 100, 0.5), item("old", 100, 2)] }, 0)).toEqual(["old"]);
  expect(evicted({ trees: [tree("T", 8, ["new"])], packages: [item("new", 100, 0.5)] }, 0)).toEqual(["T"]);
});

test("a tree may name a package that is gone", () => {
  expect(evicted({ trees: [tree("T", 8, ["gone"])] }, 0)).toEqual(["T"]);
});
