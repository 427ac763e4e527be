import { afterAll, beforeAll, expect, test } from "vitest";

import { component, type EventBody, type List, type Reply, type Service, startService } from "./fixture.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
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

/** Emits `event.list`, one after the other. */
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
  service.clock.advance(5);
  await service.run(id, { list: [{ e: "later" }, { e: "last" }] });
  const events = await service.events(id);
  const now = service.clock.now();
  expect(events.map((row) => row.id)).toEqual([`${now - 5}-0`, `${now - 5}-1`, `${now - 5}-2`, `${now}-0`, `${now}-1`]);
  await service.run(id, { list: [{ e: "same ms" }] });
  expect((await service.events(id)).at(-1)?.id).toBe(`${now}-2`);
});

test("R018 G07 a summary has id, indexed_at_ms, the payload itself and metadata", async () => {
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

test("R094 limit gives the last events, newest first, and never more than 100", async () => {
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

test("R095 R141 an event over 1024 bytes is left out with its size, and whole with expand=event", async () => {
  const { id } = await service.deploy(each);
  const fits = "x".repeat(1022);
  const wide = "é".repeat(512);
  await service.run(id, { list: [{ e: fits }, { e: wide }, { e: { text: `${fits}x` } }] });
  const short = await list(id);
  expect(short.body.data[2]).toHaveProperty("event", fits);
  expect(short.body.data[1]).not.toHaveProperty("event");
  expect(short.body.data[1]).toMatchObject({ event_truncated: true, event_bytes: 1026 });
  expect(short.body.data[0]).toMatchObject({ event_truncated: true, event_bytes: 1034 });
  const whole = await list(id, "expand=event");
  expect(payloads(whole)).toEqual([{ text: `${fits}x` }, wide, fits]);
  expect(whole.body.data[0]).not.toHaveProperty("event_truncated");
});

test("R096 deleting answers 202 with an empty object, and then the events are gone", async () => {
  const id = await emitting(3);
  const reply = await service.call<object>("DELETE", `/sources/${id}/events`);
  await service.runtime.idle();
  expect([reply.status, reply.body]).toEqual([202, {}]);
  expect((await list(id)).body.data).toEqual([]);
  await service.run(id, { list: [{ e: "after" }] });
  expect(payloads(await list(id))).toEqual(["after"]);
});

test("R097 start_id, end_id, both, equal and none choose what is deleted", async () => {
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

test("R096 ids go on after a deletion, also while the clock stands still", async () => {
  const id = await emitting(2);
  await remove(id);
  await service.run(id, { list: [{ e: "next" }] });
  expect((await list(id)).body.data[0]?.id).toBe(`${service.clock.now()}-2`);
});

test("S15 emits, $errors and $logs are deleted each by their own path", async () => {
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

test("R121 R130 $emit stores an event with id, summary and ts, readable afterwards", async () => {
  const { id } = await service.deploy(each);
  const execution = await service.run(id, { list: [{ e: { a: 1 }, m: { id: 7, summary: "seven", ts: 5 } }] });
  const [event] = await service.events(id);
  expect(execution.emitted).toEqual([{ id: event?.id, summary: "seven" }]);
  expect(event).toMatchObject({ event: { a: 1 }, metadata: { id: "7", summary: "seven", ts: 5 } });
});

test("R122 any JSON may be emitted, and undefined becomes null", async () => {
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

test("R122 an event is what it was when it was emitted", async () => {
  const { id } = await service.deploy(component({ run: "const e = { n: 1 }; this.$emit(e); e.n = 2; this.$emit(e)" }));
  await service.run(id);
  expect(await service.emitted(id)).toEqual([{ n: 1 }, { n: 2 }]);
});

test("R122 what is not JSON is refused where it is emitted", async () => {
  for (const value of ["10n", "(() => { const a = {}; a.a = a; return a; })()", "() => 1"]) {
    const { id } = await service.deploy(component({ run: `this.$emit("first"); this.$emit(${value});` }));
    const { status, error } = await service.run(id);
    expect([status, error?.name], value).toEqual(["error", "EmitSerializationError"]);
    expect(await service.emitted(id)).toEqual(["first"]);
  }
});

test("R123 G50 an id is a string or a number, and required under a dedupe strategy", async () => {
  const { id } = await service.deploy(component({ more: 'dedupe: "unique",', run: "this.$emit(1, event.meta)" }));
  for (const meta of [{ id: "a" }, { id: 5 }, { id: 0 }]) {
    expect((await service.run(id, { meta })).status).toBe("ok");
  }
  for (const meta of [{}, { id: null }, { summary: "x" }]) {
    const { status, error } = await service.run(id, { meta });
    expect([status, error?.name], JSON.stringify(meta)).toEqual(["error", "DedupeIdRequiredError"]);
  }
  expect((await service.events(id)).map((row) => row.metadata["id"])).toEqual(["a", "5", "0"]);
});

test("R124 G44 with ts, the events of one run are put oldest first", async () => {
  const { id } = await service.deploy(each);
  await service.run(id, { list: [3, 1, 2].map((ts) => ({ e: ts, m: { ts } })) });
  await service.run(id, { list: [1, 2, 3].map((e) => ({ e: `same ${e}`, m: { ts: 5 } })) });
  expect(await service.emitted(id)).toEqual([1, 2, 3, "same 1", "same 2", "same 3"]);
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

test("R129 R120 emits, errors and logs are three streams", async () => {
  const { id } = await service.deploy(
    component({ run: "console.log('started', { a: 1 }); this.$emit('kept'); throw new RangeError('broke')" }),
  );
  await service.run(id, { why: "test" });
  expect(await service.emitted(id)).toEqual(["kept"]);
  const errors = await list(id, "expand=event", "$errors/");
  expect(errors.body.data[0]).toMatchObject({
    metadata: { name: "$errors", emitter_id: id },
    event: {
      original_event: { why: "test" },
      original_context: { workflow_id: id, source_type: "MANUAL", verified: false },
      error: { code: "RangeError", cellId: "c_run", msg: "broke", stack: expect.stringContaining("broke") as string },
    },
  });
  const logs = await list(id, "expand=event&limit=100", "$logs/");
  expect(logs.body.data.every((row) => row.metadata["name"] === "$logs")).toBe(true);
  expect(payloads(logs)).toContainEqual(
    expect.objectContaining({ k: "console.log", data: ["started", { a: 1 }], ts: service.clock.now() }),
  );
});

test("R129 G27 the context of an error has ISO times and ids", async () => {
  const { id } = await service.deploy(component({ run: "throw new Error('x')" }));
  const { execution_id } = await service.run(id);
  const [record] = await service.events(id, "$errors/");
  const iso = new Date(service.clock.now()).toISOString();
  expect(record?.event).toMatchObject({
    original_context: {
      id: execution_id,
      ts: iso,
      owner_id: expect.stringMatching(/^u_/) as string,
      platform_version: expect.any(String) as string,
    },
    error: { ts: iso },
  });
});

test("S11 events of a named channel are in the list with their name, and can be asked for", async () => {
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

test("S22 the error of a run has our code, and the thrown error's name, message and stack", async () => {
  const { id } = await service.deploy(
    component({ run: "\nclass Odd extends Error { name = 'Odd' }\nthrow new Odd('m')" }),
  );
  const { status, error } = await service.run(id);
  expect(status).toBe("error");
  expect(error).toMatchObject({ code: "component_threw", name: "Odd", message: "m" });
  expect(error?.stack).toMatch(/:\d+/);
});

test("S22 a stack names the line of the author's code", async () => {
  const code = `export default {
  name: "Lines", version: "1",
  run() {
    const nothing = undefined;
    return nothing.member; // line 5
  },
};`;
  const { id } = await service.deploy(code);
  const { error } = await service.run(id);
  expect(error?.name).toBe("TypeError");
  expect(error?.stack).toMatch(/run .*:5:\d+/);
});

test("G43 a throw keeps the emits and db writes made before it, and leaves one error record", async () => {
  const { id } = await service.deploy(
    component({
      props: 'db: "$.service.db"',
      run: `this.db.set("n", (this.db.get("n") ?? 0) + 1); this.$emit(this.db.get("n")); throw new Error("x");`,
    }),
  );
  await service.run(id);
  await service.run(id);
  expect(await service.emitted(id)).toEqual([1, 2]);
  expect(await service.events(id, "$errors/")).toHaveLength(2);
});

test("R130 only the last 100 records of a stream are kept, and each stream counts for itself", async () => {
  const { id } = await service.deploy(component({ run: "for (let i = 0; i < 60; i++) this.$emit(i)" }));
  for (let round = 0; round < 2; round++) await service.run(id);
  const events = await service.events(id);
  expect(events).toHaveLength(100);
  expect(events.map((row) => row.event).slice(0, 2)).toEqual([20, 21]);
});
