import { expect, test } from "vitest";

import { searchItems } from "./list-search.ts";

test("a search of a long list finds what a short one does, and lets other work run", async () => {
  const items = Array.from({ length: 10_001 }, (_, n) => `key${n}`);
  let turns = 0;
  const count = (): void => {
    turns += 1;
    turn = setImmediate(count);
  };
  let turn = setImmediate(count);
  const found = await searchItems(items, { q: "Y100" }, (key) => [key]);
  clearImmediate(turn);
  expect(found).toEqual(items.filter((key) => key.includes("y100")));
  expect(turns).toBeGreaterThanOrEqual(5);
  expect(await searchItems(items, { q: " " }, (key) => [key])).toBe(items);
});
