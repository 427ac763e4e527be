import { expect, test } from "vitest";

import { createRecent } from "./recent.ts";

test("a value stays for at least its time and at most twice as long", () => {
  const recent = createRecent<string>(100);
  recent.set("a", "first", 0);
  recent.set("b", "second", 99);
  recent.set("c", "third", 150);
  expect(["a", "b", "c"].map(recent.get)).toEqual(["first", "second", "third"]);
  recent.set("b", "again", 240);
  recent.set("d", "fourth", 260);
  expect([...recent.entries()]).toEqual([
    ["c", "third"],
    ["b", "again"],
    ["d", "fourth"],
  ]);
  recent.set("e", "fifth", 1_000);
  expect([...recent.entries()]).toEqual([["e", "fifth"]]);
});

test("a deleted value is gone", () => {
  const recent = createRecent<number>(100);
  recent.set("a", 1, 0);
  recent.set("b", 2, 100);
  recent.delete("a");
  recent.delete("b");
  expect([...recent.entries()]).toEqual([]);
});

test("there are at most twice 10,000 values, the newest", () => {
  const recent = createRecent<number>(1e9);
  for (let n = 0; n < 25_000; n += 1) recent.set(`key ${n}`, n, n);
  expect([recent.get("key 9999"), recent.get("key 10000"), recent.get("key 24999")]).toEqual([
    undefined,
    10_000,
    24_999,
  ]);
});
