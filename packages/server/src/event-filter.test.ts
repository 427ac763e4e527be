import type { EventPage, Paged, StoredEvent } from "@x/runtime";
import { expect, test } from "vitest";

import { filterEvents, parsePointerTest } from "./event-filter.ts";

/** Reads pages of events with a payload of about this size; only the oldest is open. */
function reading(count: number, chars: number): (page: EventPage) => Promise<Paged<StoredEvent>> {
  const events = Array.from({ length: count }, (_, index) => ({
    emitterId: "dc_1",
    stream: "emits" as const,
    id: `1-${count - index}` as const,
    indexedAt: 1,
    emitId: "",
    name: "",
    payload: JSON.stringify({ status: index === count - 1 ? "open" : "closed", text: "x".repeat(chars) }),
  }));
  return ({ limit, after }) => {
    const from = events.findIndex(({ id }) => id === after) + 1;
    return Promise.resolve({ totalCount: count, items: events.slice(from, from + limit) });
  };
}

const isOpen = parsePointerTest("/status=open");

test("a search reads 16 MiB of payloads at most, and is refused beyond", async () => {
  const found = await filterEvents(reading(100, 160_000), { matches: isOpen })({ limit: 10 });
  expect(found).toMatchObject({ totalCount: 1, items: [{ id: "1-1" }] });
  const refused = { code: "invalid_parameter", details: { parameter: "q" } };
  for (const [count, chars] of [
    [100, 170_000],
    [3, 6_000_000],
    [1, 17_000_000],
  ] as const)
    await expect(filterEvents(reading(count, chars), { matches: isOpen })({ limit: 10 })).rejects.toMatchObject(
      refused,
    );
});

test("events before `since` are not searched", async () => {
  const search = filterEvents(reading(100, 1_000_000), { matches: isOpen, since: "1-90" });
  expect(await search({ limit: 10 })).toEqual({ totalCount: 0, items: [] });
});

test("a search that meets an event of too many lists or objects is refused", async () => {
  const readOf = (payload: string): ReturnType<typeof reading> => {
    const read = reading(1, 0);
    return async (page) => {
      const { totalCount, items } = await read(page);
      return { totalCount, items: items.map((event) => ({ ...event, payload })) };
    };
  };
  for (const [payload, total] of [
    [`[${"[],".repeat(100_000)}{"status":"open"}]`, 0],
    [`{"status":"open","text":"${"[".repeat(900_000)}"}`, 1],
  ] as const)
    expect((await filterEvents(readOf(payload), { matches: isOpen })({ limit: 1 })).totalCount).toBe(total);
  for (const item of ["[],", "{},", '{"a":[]},']) {
    const search = filterEvents(readOf(`[${item.repeat(600_000)}0]`), { matches: isOpen });
    await expect(search({ limit: 1 })).rejects.toMatchObject({ code: "invalid_parameter" });
  }
});
