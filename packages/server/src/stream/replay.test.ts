import { compareEventIds, type EventPage, type Paged, type StoredEvent } from "@x/runtime";
import { expect, test } from "vitest";

import { replayAfter, type Replayed, replayLast, type StoredStream } from "./replay.ts";

const idOf = (n: number): StoredEvent["id"] => `${1_000 + Math.floor(n / 10)}-${n % 10}`;

const eventOf = (n: number): StoredEvent => ({
  emitterId: "dc_1",
  stream: "emits",
  id: idOf(n),
  indexedAt: 1_000 + Math.floor(n / 10),
  emitId: "",
  name: n % 2 === 0 ? "even" : "",
  payload: String(n),
});

/** A stream of numbered events that keeps the last `retention`. */
function openStored(count: number, retention: number): StoredStream & { add(n: number): void; reads: number } {
  const events = Array.from({ length: count }, (_, n) => eventOf(n));
  return {
    name: undefined,
    retention,
    reads: 0,
    add: (n) => void events.push(eventOf(n)),
    read({ limit, after, before, name }: EventPage): Promise<Paged<StoredEvent>> {
      this.reads += 1;
      const kept = events.slice(-retention).toReversed();
      const named = kept.filter((event) => name === undefined || event.name === name);
      const between = named.filter(
        ({ id }) => (!after || compareEventIds(id, after) < 0) && (!before || compareEventIds(id, before) > 0),
      );
      const items = before && !after ? between.slice(-limit) : between.slice(0, limit);
      return Promise.resolve({ totalCount: named.length, items });
    },
  };
}

const show = (item: Replayed): string =>
  "gap" in item ? `gap ${item.gap.after} ${item.gap.oldest}` : item.event.payload;

async function collect(items: AsyncIterable<Replayed>): Promise<string[]> {
  const shown: string[] = [];
  for await (const item of items) shown.push(show(item));
  return shown;
}

const numbers = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => String(from + index));

test("events after the cursor are replayed in order, over several pages", async () => {
  const stored = openStored(90, 100);
  expect(await collect(replayAfter(stored, idOf(4), idOf(69)))).toEqual(numbers(5, 69));
  expect(await collect(replayAfter(stored, idOf(69), idOf(69)))).toEqual([]);
  expect(await collect(replayAfter(stored, idOf(89), idOf(80)))).toEqual([]);
});

test("a channel is replayed alone; its gap is that of the whole stream", async () => {
  const stored = { ...openStored(150, 100), name: "even" };
  expect(await collect(replayAfter(stored, idOf(144), idOf(149)))).toEqual(["146", "148"]);
  const shown = await collect(replayAfter(stored, idOf(10), idOf(149)));
  expect(shown.slice(0, 3)).toEqual([`gap ${idOf(10)} ${idOf(50)}`, "50", "52"]);
  expect(shown).toHaveLength(51);
});

test("a gap is reported where retention deletes events of a slow reader", async () => {
  const stored = openStored(100, 100);
  const items = replayAfter(stored, idOf(0), idOf(99));
  const shown: string[] = [];
  while (shown.length < 20) {
    const { value } = await items.next();
    if (value) shown.push(show(value));
  }
  for (let n = 100; n < 160; n++) stored.add(n);
  shown.push(...(await collect(items)));
  expect(shown).toEqual([...numbers(1, 20), `gap ${idOf(20)} ${idOf(60)}`, ...numbers(60, 99)]);
});

test("an emptied stream and one that is not full have no gap", async () => {
  expect(await collect(replayAfter(openStored(0, 100), idOf(3), idOf(9)))).toEqual([]);
  expect(await collect(replayAfter(openStored(5, 100), "0-0", idOf(4)))).toEqual(numbers(0, 4));
});

test("the last events are replayed in order, up to all", async () => {
  const stored = openStored(150, 100);
  expect(await collect(replayLast(stored, 1))).toEqual(["149"]);
  expect(await collect(replayLast(stored, 45))).toEqual(numbers(105, 149));
  expect(await collect(replayLast(stored, 100))).toEqual(numbers(50, 149));
  expect(await collect(replayLast(openStored(7, 100), 50))).toEqual(numbers(0, 6));
  expect(await collect(replayLast(openStored(0, 100), 50))).toEqual([]);
});
