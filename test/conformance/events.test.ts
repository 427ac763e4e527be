import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { afterAll, beforeAll, expect, test } from "vitest";

import { openStream } from "./event-stream.ts";
import {
  component,
  type EventBody,
  type List,
  type Reply,
  type Service,
  startService,
  startUpstream,
} from "./fixture.ts";

let service: Service;
beforeAll(async () => {
  service = await startService({ network: { mode: "allow-private" } });
});
afterAll(() => service[Symbol.asyncDispose]());

const list = (id: string, query = "", stream = ""): Promise<Reply<List<EventBody>>> =>
  service.call("GET", `/sources/${id}/${stream}event_summaries?${query}`);
const remove = async (id: string, query = "", stream = ""): Promise<number> => {
  const reply = await service.call("DELETE", `/sources/${id}/${stream}events?${query}`);
  await service.runtime.idle();
  return reply.status;
};
const payloads = (reply: Reply<List<EventBody>>): unknown[] => reply.body.data.map((row) => row.event);

/** Emits the items of `event.list` in order. */
const each = component({
  name: "Each",
  run: "for (const item of event.list) this.$emit(item.e, item.m); if (event.fail) throw new TypeError('told to');",
});
async function emitting(count: number): Promise<string> {
  const { id } = await service.deploy(each);
  await service.run(id, { list: Array.from({ length: count }, (_, index) => ({ e: index })) });
  return id;
}

test("R017 ids are <ms>-<sequence>, and grow with time", async () => {
  const id = await emitting(3);
  service.clock.jump(5);
  await service.run(id, { list: [{ e: "later" }, { e: "last" }] });
  const events = await service.events(id);
  const now = service.clock.now();
  expect(events.map((row) => row.id)).toEqual([`${now - 5}-0`, `${now - 5}-1`, `${now - 5}-2`, `${now}-0`, `${now}-1`]);
  await service.run(id, { list: [{ e: "same ms" }] });
  expect((await service.events(id)).at(-1)?.id).toBe(`${now}-2`);
});

test("R018 a summary has id, indexed_at_ms, event and metadata", async () => {
  const { id } = await service.deploy(each);
  const m = { id: "guid-2", summary: "B", ts: 1_795_190_499_000 };
  await service.run(id, { list: [{ e: { title: "B" }, m }] });
  const { body } = await list(id, "expand=event");
  expect(body.data).toEqual([
    {
      id: `${service.clock.now()}-0`,
      indexed_at_ms: service.clock.now(),
      event: { title: "B" },
      metadata: {
        emit_id: expect.stringMatching(/^[0-9A-Za-z]{27}$/) as string,
        name: "",
        emitter_id: id,
        ...m,
      },
    },
  ]);
});

test("G07 the event of a source's summary is the emitted payload itself, newest first", async () => {
  const { id } = await service.deploy(each);
  const emitted = [{ raw_event: { a: 1 } }, "text", [1, 2], 0];
  await service.run(id, { list: emitted.map((e) => ({ e })) });
  for (const query of ["", "expand=event"]) {
    expect(payloads(await list(id, query))).toEqual(emitted.toReversed());
  }
});

test("R094 limit is the number of newest events, at most 100", async () => {
  const id = await emitting(130);
  expect(payloads(await list(id, "limit=2"))).toEqual([129, 128]);
  const all = await list(id, "limit=100");
  expect(all.body.page_info).toMatchObject({ total_count: 100, count: 100 });
  expect(payloads(all).at(-1)).toBe(30);
  const beyond = await list(id, `limit=100&after=${all.body.page_info.end_cursor}`);
  expect(beyond.body.page_info.count).toBe(0);
});

test("G08 cursors are event ids: after is older, before is newer", async () => {
  const id = await emitting(6);
  const first = await list(id, "limit=2");
  expect(first.body.page_info).toMatchObject({
    total_count: 6,
    start_cursor: first.body.data[0]?.id,
    end_cursor: first.body.data[1]?.id,
  });
  const second = await list(id, `limit=2&after=${first.body.page_info.end_cursor}`);
  expect(payloads(second)).toEqual([3, 2]);
  const newer = await list(id, `before=${second.body.page_info.start_cursor}`);
  expect(payloads(newer)).toEqual([5, 4]);
  const oldest = (await list(id, "limit=100")).body.page_info.end_cursor;
  expect(payloads(await list(id, `after=${first.body.page_info.start_cursor}&before=${oldest}`))).toEqual([4, 3, 2, 1]);
  expect((await list(id, "after=x")).status).toBe(400);
});

test("R095 an event over 1024 bytes is replaced by its size, and complete with expand=event", async () => {
  const { id } = await service.deploy(each);
  const wide = "é".repeat(512);
  const text = "x".repeat(1023);
  await service.run(id, { list: [{ e: wide }, { e: { text } }] });
  const short = await list(id);
  for (const row of short.body.data) expect(row).not.toHaveProperty("event");
  expect(short.body.data).toMatchObject([
    { event_truncated: true, event_bytes: 1034 },
    { event_truncated: true, event_bytes: 1026 },
  ]);
  const whole = await list(id, "expand=event");
  expect(payloads(whole)).toEqual([{ text }, wide]);
  for (const row of whole.body.data) expect(row).not.toHaveProperty("event_truncated");
});

test("R141 an event of 1024 bytes is complete, one of 1025 bytes is not", async () => {
  const { id } = await service.deploy(each);
  await service.run(id, { list: [{ e: "x".repeat(1022) }, { e: "x".repeat(1023) }] });
  const { body } = await list(id);
  expect(body.data.map((row) => [row.event, row.event_bytes])).toEqual([
    [undefined, 1025],
    ["x".repeat(1022), undefined],
  ]);
});

test("R096 deleting answers 202 with an empty object, then deletes the events", async () => {
  const id = await emitting(3);
  const reply = await service.call<object>("DELETE", `/sources/${id}/events`);
  await service.runtime.idle();
  expect([reply.status, reply.body]).toEqual([202, {}]);
  expect((await list(id)).body.data).toEqual([]);
  await service.run(id, { list: [{ e: "after" }] });
  expect(payloads(await list(id))).toEqual(["after"]);
});

test("R097 start_id, end_id, both, equal ones and none select what is deleted", async () => {
  const left = async (query: (ids: readonly string[]) => string): Promise<unknown[]> => {
    const id = await emitting(5);
    const ids = (await service.events(id)).map((row) => row.id);
    expect(await remove(id, query(ids))).toBe(202);
    return service.emitted(id) as Promise<unknown[]>;
  };
  expect(await left(() => "")).toEqual([]);
  expect(await left((ids) => `start_id=${ids[3]}`)).toEqual([0, 1, 2]);
  expect(await left((ids) => `end_id=${ids[1]}`)).toEqual([2, 3, 4]);
  expect(await left((ids) => `start_id=${ids[1]}&end_id=${ids[3]}`)).toEqual([0, 4]);
  expect(await left((ids) => `start_id=${ids[2]}&end_id=${ids[2]}`)).toEqual([0, 1, 3, 4]);
});

test("R097 event ids are compared as numbers, and bad ranges are 400 and delete nothing", async () => {
  const id = await emitting(12);
  const ms = service.clock.now();
  expect(await remove(id, `start_id=${ms}-9`)).toBe(202);
  expect(await service.emitted(id)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(await remove(id, "start_id=10-0&end_id=9-0")).toBe(400);
  expect(await remove(id, "start_id=5-10&end_id=5-9")).toBe(400);
  expect(await remove(id, "start_id=9-0&end_id=10-0")).toBe(202);
  for (const bad of ["start_id=", "end_id=x", "start_id=5", "end_id=-1-0", "start_id=1-2-3"]) {
    expect(await remove(id, bad), bad).toBe(400);
  }
  expect(await service.emitted(id)).toHaveLength(9);
});

test("R096 ids increase after a deletion, also while the clock stands still", async () => {
  const id = await emitting(2);
  await remove(id);
  await service.run(id, { list: [{ e: "next" }] });
  expect((await list(id)).body.data[0]?.id).toBe(`${service.clock.now()}-2`);
});

test("S15 emits, $errors and $logs are each deleted by their own path", async () => {
  const { id } = await service.deploy(component({ run: "console.log('hi'); this.$emit(1); throw new Error('x')" }));
  const counts = async (): Promise<number[]> =>
    Promise.all(
      (["", "$errors/", "%24logs/"] as const).map(
        async (stream) => (await list(id, "", stream)).body.page_info.total_count,
      ),
    );
  await service.run(id);
  const [emits, errors, logs = 0] = await counts();
  expect([emits, errors]).toEqual([1, 1]);
  expect(logs).toBeGreaterThan(0);
  expect(await remove(id)).toBe(202);
  expect(await counts()).toEqual([0, 1, logs]);
  expect(await remove(id, "", "%24errors/")).toBe(202);
  expect(await counts()).toEqual([0, 0, logs]);
  expect(await remove(id, "", "$logs/")).toBe(202);
  expect(await counts()).toEqual([0, 0, 0]);
});

test("R121 $emit stores an event with its id, summary and ts", async () => {
  const { id } = await service.deploy(each);
  const execution = await service.run(id, { list: [{ e: { a: 1 }, m: { id: 7, summary: "seven", ts: 5 } }, { e: 2 }] });
  const [bare, event] = (await list(id, "expand=event")).body.data;
  expect(execution.emitted).toEqual([{ id: event?.id, summary: "seven" }, { id: bare?.id }]);
  expect(event).toMatchObject({ event: { a: 1 }, metadata: { id: "7", summary: "seven", ts: 5 } });
  for (const name of ["id", "summary", "ts"]) expect(bare?.metadata).not.toHaveProperty(name);
});

test("R130 an event reaches the summaries, the stream and its listener", async () => {
  const { id } = await service.deploy(each);
  const listener = await service.deploy(component({ name: "Listener", run: "this.$emit({ heard: event })" }));
  await service.call("POST", `/subscriptions?emitter_id=${id}&listener_id=${listener.id}`);
  await using stream = await openStream(service.url, `/sources/${id}/sse`);
  await service.run(id, { list: [{ e: { n: 1 } }] });
  expect(await stream.payloads(1)).toEqual([{ n: 1 }]);
  expect(payloads(await list(id))).toEqual([{ n: 1 }]);
  expect(await service.emitted(listener.id)).toEqual([{ heard: { n: 1 } }]);
});

test("R122 any JSON value can be emitted, and undefined becomes null", async () => {
  const { id } = await service.deploy(
    component({
      run: `this.$emit(); this.$emit(undefined, { summary: "s" }); this.$emit(null); this.$emit(0); this.$emit("");
        this.$emit([1, [2]]); this.$emit({ d: new Date(0), u: undefined, n: { m: "ü\\u0000" } });`,
    }),
  );
  await service.run(id);
  expect(await service.emitted(id)).toEqual([
    null,
    null,
    null,
    0,
    "",
    [1, [2]],
    { d: "1970-01-01T00:00:00.000Z", n: { m: "ü\u0000" } },
  ]);
});

test("R122 later changes of an emitted value do not change the event", async () => {
  const { id } = await service.deploy(component({ run: "const e = { n: 1 }; this.$emit(e); e.n = 2; this.$emit(e)" }));
  await service.run(id);
  expect(await service.emitted(id)).toEqual([{ n: 1 }, { n: 2 }]);
});

test("R122 a value that is not JSON is refused at the emit", async () => {
  for (const value of ["10n", "(() => { const a = {}; a.a = a; return a; })()", "() => 1"]) {
    const { id } = await service.deploy(component({ run: `this.$emit("first"); this.$emit(${value});` }));
    const { status, error } = await service.run(id);
    expect([status, error?.name], value).toEqual(["error", "EmitSerializationError"]);
    expect(await service.emitted(id)).toEqual(["first"]);
  }
});

test("R124 with ts, the events of one run are sorted oldest first", async () => {
  const { id } = await service.deploy(each);
  await service.run(id, { list: [3, 1, 2].map((ts) => ({ e: ts, m: { ts } })) });
  await service.run(id, { list: [0, -1].map((ts) => ({ e: ts, m: { ts } })) });
  expect(await service.emitted(id)).toEqual([1, 2, 3, -1, 0]);
});

test("G44 events are published at the end of the run, sorted", async () => {
  const run = `this.$emit("first", { ts: 2 }); await fetch(event.url); this.$emit("second", { ts: 1 });`;
  const { id } = await service.deploy(component({ run }));
  const during: unknown[] = [];
  const hold = createServer((_, outgoing) => {
    void list(id).then((reply) => {
      during.push(reply.body.page_info.total_count);
      outgoing.end();
    });
  });
  await new Promise<void>((resolve) => {
    hold.listen(0, "127.0.0.1", resolve);
  });
  const { port } = hold.address() as AddressInfo;
  expect((await service.run(id, { url: `http://127.0.0.1:${port}` })).error).toBeNull();
  hold.closeAllConnections();
  hold.close();
  expect(during).toEqual([0]);
  expect(await service.emitted(id)).toEqual(["second", "first"]);
});

test("G45 ts may be a number, a numeric text, a Date or an ISO text, and a bad one counts as absent", async () => {
  const run = `this.$emit("none"); this.$emit("old", { ts: 10 }); this.$emit("date", { ts: new Date(5) });
    this.$emit("iso", { ts: new Date(20).toISOString() }); this.$emit("text", { ts: "30" });
    this.$emit("nan", { ts: NaN });`;
  const { id } = await service.deploy(component({ run }));
  const execution = await service.run(id);
  expect(await service.emitted(id)).toEqual(["date", "old", "iso", "text", "none", "nan"]);
  expect((await service.events(id)).map((row) => row.metadata["ts"])).toEqual([5, 10, 20, 30, undefined, undefined]);
  expect(execution.logs.filter((log) => log.k === "console.warn")).toHaveLength(1);
});

const times: readonly (readonly [string, number | string, boolean])[] = [
  ["seconds", 1_795_197_600, true],
  ["seconds with a fraction", 1_795_197_600.5, true],
  ["seconds as text", "1795197600", true],
  ["the last ones", 99_999_999_999, true],
  ["milliseconds", 1_795_197_600_000, false],
  ["the first ones", 100_000_000_000, false],
  ["an order", 3, false],
  ["a date before 1973", "1971-06-01T00:00:00Z", false],
];

test.each(times)("G45 a ts in seconds gets one warning per run: %s", async (_what, ts, warns) => {
  const run = "for (const ts of event.list) this.$emit(ts, { ts })";
  const { id } = await service.deploy(component({ run }));
  const { logs } = await service.run(id, { list: [ts, ts, ts] });
  expect(logs.map(({ msg = "" }) => msg.includes(`ts ${String(ts)} seems to be in seconds`))).toEqual(
    warns ? [true] : [],
  );
  expect(await service.emitted(id)).toHaveLength(3);
});

test("S11 events of a named channel are listed with their name, and can be filtered by it", async () => {
  const { id } = await service.deploy(
    component({ run: "this.$emit('plain'); this.$emit('extra', { name: 'side', summary: 's' })" }),
  );
  await service.run(id);
  expect((await service.events(id)).map((row) => [row.event, row.metadata["name"]])).toEqual([
    ["plain", ""],
    ["extra", "side"],
  ]);
  const only = await list(id, "name=side");
  expect([payloads(only), only.body.page_info.total_count]).toEqual([["extra"], 1]);
});

test("R130 the last 100 records of each stream are retained", async () => {
  const { id } = await service.deploy(component({ run: "for (let i = 0; i < 60; i++) this.$emit(i)" }));
  for (let round = 0; round < 2; round++) await service.run(id);
  const events = await service.events(id);
  expect(events).toHaveLength(100);
  expect(events.map((row) => row.event).slice(0, 2)).toEqual([20, 21]);
});

test("G55 an event larger than 6 MB is refused at the emit", async () => {
  const { id } = await service.deploy(component({ run: "this.$emit('x'.repeat(6 * 1024 * 1024 + 1))" }));
  const { status, error } = await service.run(id);
  expect(status).toBe("error");
  expect(error?.name).toMatch(/^Emit\w*Error$/);
});

test("R120 a component can use the network, and its failures affect only itself", async () => {
  await using upstream = await startUpstream();
  const run = `const response = await fetch(event.url + "/items?x=1", { method: "POST", body: "hello" });
    this.$emit([response.status, await response.json()]);`;
  const { id } = await service.deploy(component({ run }));
  expect((await service.run(id, { url: upstream.url })).status).toBe("ok");
  expect(await service.emitted(id)).toEqual([[200, {}]]);
  expect(upstream.received).toEqual([{ method: "POST", path: "/items?x=1", body: "hello" }]);
  expect((await service.run(id, { url: "http://127.0.0.1:1" })).status).toBe("error");
});
