import { expect, it } from "vitest";

import { boundedCache } from "./bounded-cache.ts";

it.each([1, 3, 100])("a cache of %i entries evicts the least recently used one", (most) => {
  const cache = boundedCache<number>(most);
  for (let n = 0; n < most; n++) cache.set(`key ${n}`, n);
  expect(cache.size).toBe(most);
  expect(cache.get("key 0")).toBe(0);
  cache.set("one more", -1);
  expect(cache.size).toBe(most);
  expect(cache.has("key 0")).toBe(most > 1);
  expect(cache.has("key 1")).toBe(false);
  expect(cache.get("one more")).toBe(-1);
});
