import { expect, test } from "vitest";

import type { Webhook } from "@x/model";
import { createMatchingLists, type MatchingList } from "./matching-lists.ts";
import { createMemoryStore } from "./memory/memory.ts";
import type { ListQuery } from "./queries.ts";

async function start(count: number) {
  const store = createMemoryStore();
  const put = (n: number) => {
    const webhook: Webhook = {
      id: `wh_${n}`,
      userId: "u_1",
      name: `Shop ${n}`,
      description: null,
      url: `https://shop.test/${n}`,
      active: true,
      format: "event",
      signingKey: "k",
      previousKeys: [],
      skipped: 0,
      createdAt: n,
      updatedAt: n,
    };
    return store.commit([{ op: "webhook.put", webhook }]);
  };
  for (let n = 1; n <= count; n += 1) await put(n);
  const reads: ListQuery[] = [];
  const list: MatchingList<Webhook> = {
    key: "all",
    read(page) {
      reads.push(page);
      return store.webhooks("u_1", page);
    },
    matches: () => true,
  };
  return { put, reads, list };
}

const ids = (items: readonly Webhook[]): readonly string[] => items.map(({ id }) => id);

test("equal calls share one walk after the running one, which sees what was stored before them", async () => {
  const { put, reads, list } = await start(150);
  const lists = createMatchingLists();
  const first = lists.page(list, { limit: 1 });
  await put(151);
  const others = await Promise.all(Array.from({ length: 10 }, () => lists.page(list, { limit: 1 })));
  await first;
  expect(others.map(({ totalCount, items }) => [totalCount, ...ids(items)])).toEqual(
    Array.from({ length: 10 }, () => [151, "wh_151"]),
  );
  // Two walks of two slices, each with the empty one after them.
  expect(reads).toHaveLength(6);
  expect(reads.every(({ total }) => total === false)).toBe(true);
});

test("a failed walk fails its own calls alone", async () => {
  const { list } = await start(1);
  const lists = createMatchingLists();
  let calls = 0;
  const failing = {
    ...list,
    read: (page: ListQuery) => (++calls === 1 ? Promise.reject(new Error("planned")) : list.read(page)),
  };
  const first = lists.page(failing, { limit: 1 });
  const second = lists.page(failing, { limit: 1 });
  await expect(first).rejects.toThrow("planned");
  expect((await second).totalCount).toBe(1);
});

test("pages with a cursor count all items once a minute, together", async () => {
  const { put, reads, list } = await start(3);
  let now = 0;
  const lists = createMatchingLists(() => now);
  const after = (id: string) => lists.page(list, { limit: 1, after: id });
  expect((await Promise.all([after("wh_3"), after("wh_2")])).map(({ totalCount }) => totalCount)).toEqual([3, 3]);
  const counted = reads.filter((page) => page.after === undefined);
  expect(counted).toHaveLength(1);
  await put(4);
  now = 59_999;
  expect((await after("wh_3")).totalCount).toBe(3);
  now = 60_000;
  expect((await after("wh_3")).totalCount).toBe(4);
});
