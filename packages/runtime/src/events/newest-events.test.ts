import { expect, test } from "vitest";

import { exampleEvent } from "../../../store/src/conformance/examples.cases.ts";
import { createMemoryStore } from "../../../store/src/memory/memory.ts";
import type { StoredEvent } from "@x/model";
import { maxEmitters, type Newest, type NewestQuery, readNewest } from "./newest-events.ts";

/** Emitters with events at these times; the events that were read are counted. */
async function search(times: readonly (readonly number[])[], query: NewestQuery, payload = "1") {
  const store = createMemoryStore();
  const events = times.map((list, index) =>
    list.map((ms) => exampleEvent(ms, 0, { emitterId: `dc_${index}`, payload })),
  );
  await store.commit(events.flat().map((event) => ({ op: "event.add", event }) as const));
  const heads = events
    .map((list, index) => ({ emitterId: `dc_${index}`, newest: list.at(-1)?.id ?? { ms: 0, seq: 0 } }))
    .toSorted((a, b) => b.newest.ms - a.newest.ms);
  let read = 0;
  const found = await readNewest(heads, query, async (id, page) => {
    const part = await store.events(id, "emits", { ...page, retention: 1_000 });
    read += part.items.length;
    return part;
  });
  return { found, read };
}

const at = ({ items }: Newest): number[] => items.map(({ id }) => id.ms);
const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, index) => from + index);

test("events of several emitters are merged, and emitters with older ones are not read", async () => {
  const { found, read } = await search([[1, 4, 9], [2, 8], [3, 7], range(10, 5)], { limit: 6 });
  expect(found.isWhole).toBe(true);
  expect(at(found)).toEqual([14, 13, 12, 11, 10, 9]);
  expect(read).toBe(8);
});

test("a long stream is read only as far as it is needed", async () => {
  const { found, read } = await search([range(1, 200), [150]], { limit: 30 });
  expect(at(found)).toEqual(range(171, 30).toReversed());
  expect(read).toBe(40);
});

test("only events that match are returned, however far back they are", async () => {
  const matches = ({ id }: StoredEvent): boolean => id.ms % 100 === 0;
  const { found } = await search([range(1, 250), range(300, 5)], { limit: 10, matches });
  expect(found.isWhole).toBe(true);
  expect(at(found)).toEqual([300, 200, 100]);
});

test("a search ends at its bounds, and says so", async () => {
  const none = (): boolean => false;
  const large = JSON.stringify("x".repeat(1_000_000));
  expect(await search([range(1, 30)], { limit: 1, matches: none }, large)).toMatchObject({ found: { isWhole: false } });
  const many = range(1, maxEmitters + 1).map((ms) => [ms]);
  expect((await search(many, { limit: 1, matches: none })).found).toEqual({ items: [], isWhole: false });
  expect((await search(many, { limit: 1 })).found.isWhole).toBe(true);
});

test("what is returned is bounded, and admitted before it is read", async () => {
  const large = JSON.stringify("x".repeat(1_000_000));
  const admitted: number[] = [];
  const { found } = await search([range(1, 12)], { limit: 20, admit: (bytes) => void admitted.push(bytes) }, large);
  expect(at(found)).toEqual(range(5, 8).toReversed());
  expect(Math.max(...admitted)).toBeLessThan(10_000_000);
});
