import { expect, test } from "vitest";

import { XError } from "../../../model/src/errors.ts";
import { formatEventId } from "../../../model/src/event-id.ts";
import type { EventId, StreamKind } from "../../../model/src/model.ts";
import type { GetStore } from "./given-store.cases.ts";
import type { EventQuery } from "../queries.ts";
import type { Store } from "../contract.ts";
import { addEvent, addTrigger, exampleEvent, exampleSource, exampleTrigger, putSource } from "./examples.cases.ts";

const id = (text: string): EventId => {
  const [ms, seq] = text.split("-").map(Number);
  return { ms: ms ?? 0, seq: seq ?? 0 };
};

async function list(store: Store, query: Partial<EventQuery> = {}, stream: StreamKind = "emits"): Promise<string[]> {
  const page = await store.events("dc_1", stream, { limit: 100, retention: 100, ...query });
  return page.items.map((event) => formatEventId(event.id));
}

/** Adding, reading, deleting and trimming events; heads. */
export function describeEvents(get: GetStore): void {
  const fill = (...texts: string[]): Promise<void> =>
    get().commit(texts.map((text) => addEvent(exampleEvent(id(text).ms, id(text).seq))));

  test("an event is stored completely, with and without its optional fields", async () => {
    const store = get();
    const bare = exampleEvent(1, 0);
    const full = exampleEvent(1, 1, {
      name: "channel",
      payload: '"\\u0000 \u{1F600} \0"',
      dedupeId: "guid-\u{1F600}",
      summary: "",
      ts: -1.5,
    });
    await store.commit([addEvent(bare), addEvent(full)]);
    const page = await store.events("dc_1", "emits", { limit: 10, retention: 100 });
    expect(page).toEqual({ totalCount: 2, items: [full, bare] });
  });

  test("R017 ids compare as numbers: 9-0 is older than 10-0, 10-9 older than 10-10", async () => {
    await fill("9-0", "10-0", "10-9", "10-10");
    expect(await list(get())).toEqual(["10-10", "10-9", "10-0", "9-0"]);
    expect(await list(get(), { after: id("10-10") })).toEqual(["10-9", "10-0", "9-0"]);
  });

  test("G08 `after` means older than, `before` newer than, both together the open interval", async () => {
    const store = get();
    await fill("1-0", "2-0", "3-0", "4-0", "5-0");
    expect(await list(store, { limit: 2 })).toEqual(["5-0", "4-0"]);
    expect(await list(store, { limit: 2, after: id("4-0") })).toEqual(["3-0", "2-0"]);
    expect(await list(store, { limit: 2, before: id("1-0") })).toEqual(["3-0", "2-0"]);
    expect(await list(store, { before: id("3-0") })).toEqual(["5-0", "4-0"]);
    expect(await list(store, { after: id("5-0"), before: id("2-0") })).toEqual(["4-0", "3-0"]);
    expect(await list(store, { limit: 1, after: id("5-0"), before: id("2-0") })).toEqual(["4-0"]);
    expect(await list(store, { after: id("1-0") })).toEqual([]);
    expect(await list(store, { after: id("2-7") })).toEqual(["2-0", "1-0"]);
  });

  test("the emitters of a user are listed by their newest event of a stream, also of one that was deleted", async () => {
    const store = get();
    await store.commit([
      ...["dc_1", "dc_2", "p_3", "dc_4"].map((of) => putSource(exampleSource(of))),
      putSource(exampleSource("dc_5", { userId: "u_other" })),
      ...[
        exampleEvent(5, 1, { emitterId: "dc_1" }),
        exampleEvent(9, 0, { emitterId: "dc_2", stream: "$logs" }),
        exampleEvent(5, 2, { emitterId: "p_3" }),
        exampleEvent(5, 2, { emitterId: "dc_2" }),
        exampleEvent(8, 0, { emitterId: "dc_5" }),
      ].map(addEvent),
    ]);
    const heads = async (limit: number): Promise<unknown> =>
      (await store.newestHeads("u_1", "emits", limit)).map(({ emitterId, newest }) => [
        emitterId,
        formatEventId(newest),
      ]);
    const all = [
      ["dc_2", "5-2"],
      ["p_3", "5-2"],
      ["dc_1", "5-1"],
    ];
    expect(await heads(10)).toEqual(all);
    expect(await heads(2)).toEqual(all.slice(0, 2));
    await store.commit([{ op: "events.delete", emitterId: "dc_1", stream: "emits", range: {} }]);
    expect(await heads(10)).toEqual(all);
    expect(await store.newestHeads("u_1", "$errors", 10)).toEqual([]);
  });

  test("events are counted by spans of time", async () => {
    const store = get();
    await fill("9-0", "10-0", "19-0", "19-1", "20-0", "49-0", "50-0");
    expect(await store.eventCounts("dc_1", "emits", { from: 10, ms: 10, count: 4 })).toEqual([3, 1, 0, 1]);
    expect(await store.eventCounts("dc_1", "$errors", { from: 10, ms: 10, count: 2 })).toEqual([0, 0]);
  });

  test("a page with a limit in bytes ends at the limit, starts at its cursor, and has at least one event", async () => {
    const store = get();
    const sizes = [10, 5_000, 3_000, 20, 9_000];
    const payload = (bytes: number): string => JSON.stringify("é".repeat((bytes - 2) / 2));
    await store.commit(sizes.map((bytes, n) => addEvent(exampleEvent(n + 1, 0, { payload: payload(bytes) }))));
    expect(await list(store, { bytes: 8_000 })).toEqual(["5-0"]);
    expect(await list(store, { bytes: 8_000, after: id("5-0") })).toEqual(["4-0", "3-0"]);
    expect(await list(store, { bytes: 8_020, after: id("5-0") })).toEqual(["4-0", "3-0", "2-0"]);
    expect(await list(store, { bytes: 8_020, after: id("5-0"), limit: 1 })).toEqual(["4-0"]);
    expect(await list(store, { bytes: 8_000, before: id("1-0") })).toEqual(["3-0", "2-0"]);
    expect(await list(store, { bytes: 8_000, before: id("4-0") })).toEqual(["5-0"]);
    expect(await list(store, { bytes: 0, before: id("1-0"), after: id("4-0") })).toEqual(["3-0"]);
    expect((await store.events("dc_1", "emits", { limit: 10, retention: 100, bytes: 1 })).totalCount).toBe(5);
  });

  test("payloads beyond a size are left out and do not count", async () => {
    const store = get();
    const [small, large] = [exampleEvent(1, 0, { payload: '"é"' }), exampleEvent(2, 0, { payload: '"ééé"' })];
    await store.commit([addEvent(small), addEvent(large)]);
    const page = await store.events("dc_1", "emits", { limit: 10, retention: 100, wholeBytes: 7, bytes: 4 });
    expect(page.items).toEqual([{ ...large, payload: "", payloadBytes: 8 }, small]);
    expect((await store.events("dc_1", "emits", { limit: 10, retention: 100, wholeBytes: 8 })).items).toEqual([
      large,
      small,
    ]);
  });

  test("`admit` is called before the payloads of the page are read", async () => {
    const store = get();
    await store.commit([1, 2, 3].map((ms) => addEvent(exampleEvent(ms, 0, { payload: '"12345678"' }))));
    const asked: number[] = [];
    const query = { limit: 10, retention: 100, bytes: 25, admit: (bytes: number) => void asked.push(bytes) };
    expect((await store.events("dc_1", "emits", query)).items).toHaveLength(2);
    expect(asked).toEqual([20]);
    const refuse = (): never => {
      throw new XError("closed", []);
    };
    await expect(store.events("dc_1", "emits", { ...query, admit: refuse })).rejects.toMatchObject({ code: "closed" });
    expect(await list(store, { limit: 1 })).toEqual(["3-0"]);
  });

  test("R094 only the newest `retention` events are visible and counted", async () => {
    const store = get();
    await fill("1-0", "2-0", "3-0", "4-0");
    const page = await store.events("dc_1", "emits", { limit: 100, retention: 3 });
    expect(page.totalCount).toBe(3);
    expect(await list(store, { retention: 3 })).toEqual(["4-0", "3-0", "2-0"]);
    expect(await list(store, { retention: 3, after: id("3-0") })).toEqual(["2-0"]);
    expect(await list(store, { retention: 2, after: id("3-0") })).toEqual([]);
    expect(await list(store, { retention: 4 })).toHaveLength(4);
  });

  test("a channel has only its own events within the retention of the stream", async () => {
    const store = get();
    await store.commit([
      addEvent(exampleEvent(1, 0, { name: "a" })),
      addEvent(exampleEvent(2, 0, { name: "a" })),
      addEvent(exampleEvent(3, 0)),
      addEvent(exampleEvent(4, 0, { name: "a" })),
    ]);
    expect(await list(store, { name: "a" })).toEqual(["4-0", "2-0", "1-0"]);
    expect(await list(store, { name: "" })).toEqual(["3-0"]);
    expect(await list(store, { name: "a", retention: 3 })).toEqual(["4-0", "2-0"]);
    expect(await list(store, { name: "a", before: id("1-0"), limit: 1 })).toEqual(["2-0"]);
    const page = await store.events("dc_1", "emits", { limit: 1, retention: 100, name: "a" });
    expect(page.totalCount).toBe(3);
  });

  test("emitters and streams are separate", async () => {
    const store = get();
    await store.commit([
      addEvent(exampleEvent(1, 0)),
      addEvent(exampleEvent(2, 0, { stream: "$errors" })),
      addEvent(exampleEvent(3, 0, { stream: "$logs" })),
      addEvent(exampleEvent(1, 0, { emitterId: "dc_2" })),
    ]);
    expect(await list(store)).toEqual(["1-0"]);
    expect(await list(store, {}, "$errors")).toEqual(["2-0"]);
    expect(await list(store, {}, "$logs")).toEqual(["3-0"]);
    expect((await store.events("dc_2", "emits", { limit: 10, retention: 10 })).totalCount).toBe(1);
    expect((await store.sourceState("dc_1")).heads).toEqual({
      emits: { ms: 1, seq: 0 },
      $errors: { ms: 2, seq: 0 },
      $logs: { ms: 3, seq: 0 },
    });
  });

  test.each([
    ["no bound: all", {}, []],
    ["start: that and later", { start: "3-0" }, ["2-1", "2-0", "1-0"]],
    ["end: up to and including", { end: "2-0" }, ["4-0", "3-0", "2-1"]],
    ["both: inclusive", { start: "2-0", end: "3-0" }, ["4-0", "1-0"]],
    ["equal: one event", { start: "2-1", end: "2-1" }, ["4-0", "3-0", "2-0", "1-0"]],
    ["start after end: none", { start: "3-0", end: "2-0" }, ["4-0", "3-0", "2-1", "2-0", "1-0"]],
  ])("R097 deletes a range, %s", async (_, range: { start?: string; end?: string }, kept: string[]) => {
    const store = get();
    await fill("1-0", "2-0", "2-1", "3-0", "4-0");
    await store.commit([
      {
        op: "events.delete",
        emitterId: "dc_1",
        stream: "emits",
        range: { ...(range.start && { start: id(range.start) }), ...(range.end && { end: id(range.end) }) },
      },
    ]);
    expect(await list(store)).toEqual(kept);
  });

  test("R096 heads survive deletion and trimming of events, so ids are never reused", async () => {
    const store = get();
    await fill("1-0", "2-0");
    await store.commit([{ op: "events.delete", emitterId: "dc_1", stream: "emits", range: {} }]);
    expect((await store.sourceState("dc_1")).heads).toEqual({ emits: { ms: 2, seq: 0 } });
    await expect(fill("2-0")).rejects.toMatchObject({ code: "store_failed" });
    await fill("2-1");
    await store.commit([{ op: "events.trim", emitterId: "dc_1", stream: "emits", keep: 0 }]);
    expect(await list(store)).toEqual([]);
    expect((await store.sourceState("dc_1")).heads).toEqual({ emits: { ms: 2, seq: 1 } });
  });

  test("trimming keeps the newest events of one stream", async () => {
    const store = get();
    await fill("9-0", "10-0", "11-0");
    await store.commit([addEvent(exampleEvent(1, 0, { stream: "$errors" }))]);
    await store.commit([{ op: "events.trim", emitterId: "dc_1", stream: "emits", keep: 3 }]);
    expect(await list(store)).toHaveLength(3);
    await store.commit([{ op: "events.trim", emitterId: "dc_1", stream: "emits", keep: 2 }]);
    expect(await list(store)).toEqual(["11-0", "10-0"]);
    expect(await list(store, {}, "$errors")).toEqual(["1-0"]);
  });

  test("an event that is not after the head of its stream is refused, also within one commit", async () => {
    const store = get();
    await fill("5-0");
    for (const old of ["5-0", "4-9", "3-0"]) await expect(fill(old)).rejects.toMatchObject({ code: "store_failed" });
    await expect(fill("6-1", "6-0")).rejects.toMatchObject({ code: "store_failed" });
    expect(await list(store)).toEqual(["5-0"]);
    expect((await store.sourceState("dc_1")).heads).toEqual({ emits: { ms: 5, seq: 0 } });
  });

  test("deleting a source deletes everything of it", async () => {
    const store = get();
    await store.commit([
      putSource(exampleSource("dc_1")),
      addEvent(exampleEvent(1, 0)),
      addEvent(exampleEvent(1, 0, { stream: "$logs" })),
      { op: "db.set", sourceId: "dc_1", key: "k", value: "1", at: 1 },
      { op: "dedupe.set", sourceId: "dc_1", channel: "", state: { strategy: "last", ids: ["1"] } },
      { op: "timer.set", sourceId: "dc_1", next: { at: 1, lastAt: 0 } },
      addTrigger(exampleTrigger("t_1")),
      { op: "db.set", sourceId: "dc_2", key: "k", value: "2", at: 1 },
      addEvent(exampleEvent(1, 0, { emitterId: "dc_2" })),
    ]);
    await store.commit([{ op: "source.delete", id: "dc_1" }]);
    expect(await store.source("dc_1")).toBeUndefined();
    expect(await store.sourceState("dc_1")).toEqual({ dedupe: {}, heads: {} });
    expect(await store.db("dc_1")).toEqual(new Map());
    expect(await list(store)).toEqual([]);
    expect(await list(store, {}, "$logs")).toEqual([]);
    expect(await store.timers()).toEqual([]);
    expect(await store.triggers()).toEqual([]);
    expect(await store.db("dc_2")).toEqual(new Map([["k", "2"]]));
    expect((await store.events("dc_2", "emits", { limit: 10, retention: 10 })).totalCount).toBe(1);
  });
}
