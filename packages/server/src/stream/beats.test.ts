import { expect, test } from "vitest";

import { withBeats } from "./beats.ts";

/** An iterator whose items are given one by one. */
function openItems(): { items: AsyncIterator<number>; give(result: IteratorResult<number>): void; fail(): void } {
  let next = Promise.withResolvers<IteratorResult<number>>();
  return {
    items: {
      async next() {
        const result = await next.promise;
        next = Promise.withResolvers<IteratorResult<number>>();
        return result;
      },
    },
    give: (result) => next.resolve(result),
    fail: () => next.reject(new Error("broke")),
  };
}

test("items pass, a beat follows each silent interval, and the end ends it", async () => {
  const { items, give } = openItems();
  const beats = withBeats(items, 1);
  expect([await beats.next(), await beats.next()]).toEqual([
    { value: "beat", done: false },
    { value: "beat", done: false },
  ]);
  give({ value: 7, done: false });
  let item = await beats.next();
  while (item.value === "beat") item = await beats.next();
  expect(item).toEqual({ value: 7, done: false });
  give({ value: undefined, done: true });
  while (item.value !== undefined) item = await beats.next();
  expect(item.done).toBe(true);
});

test("an error of the iterator is thrown", async () => {
  const { items, fail } = openItems();
  const beats = withBeats(items, 60_000);
  const next = beats.next();
  fail();
  await expect(next).rejects.toThrow("broke");
});
