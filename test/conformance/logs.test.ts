import { afterAll, beforeAll, expect, test } from "vitest";

import { type EventStream, openStream } from "./event-stream.ts";
import { component, type EventBody, type List, type Reply, type Service, startService } from "./fixture.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const code = component({
  name: "Talker",
  run: `for (const item of event.list) this.$emit(item.e, item.m);
    for (const text of event.logs ?? []) console.log(text);
    if (event.fail) throw new RangeError(event.fail)`,
});

test("G27 logs are the records themselves, newest first, in pages whose cursors are event ids", async () => {
  const { id } = await service.deploy(code);
  const { execution_id } = await service.run(id, { list: [], logs: ["a", "b", "x".repeat(3_000)], fail: "broke" });
  const logs = (query = ""): Promise<Reply<List<{ k: string; msg?: string }>>> =>
    service.call("GET", `/sources/${id}/logs${query}`);
  const all = await logs();
  const ts = service.clock.now();
  expect(all.body.data).toEqual([
    { k: "err", ts, err: { name: "RangeError", message: "broke", stack: expect.any(String) as string }, execution_id },
    { k: "console.log", ts, msg: "x".repeat(3_000), data: ["x".repeat(3_000)], execution_id },
    { k: "console.log", ts, msg: "b", data: ["b"], execution_id },
    { k: "console.log", ts, msg: "a", data: ["a"], execution_id },
  ]);
  const summaries = await service.events(id, "$logs/");
  expect(all.body.page_info).toEqual({
    total_count: 4,
    count: 4,
    start_cursor: summaries[3]?.id,
    end_cursor: summaries[0]?.id,
  });
  const second = await logs(`?limit=2&after=${summaries[2]?.id}&include=msg`);
  expect(second.body.data).toEqual([{ msg: "b" }, { msg: "a" }]);
  expect((await logs(`?before=${summaries[2]?.id}`)).body.data.map((record) => record.k)).toEqual(["err"]);
  expect((await logs("?after=x")).status).toBe(400);
  expect((await service.call("GET", "/sources/dc_none/logs")).status).toBe(404);
});

interface AllLogs {
  readonly data: readonly {
    readonly event: { readonly msg?: string };
    readonly metadata: { readonly emitter_id: string };
  }[];
  readonly complete: boolean;
}

test("the logs of all sources are one list, newest first, selected by source, level and words", async () => {
  await using own = await startService();
  const words = async (query: string): Promise<unknown> => {
    const { body } = await own.call<AllLogs>("GET", `/logs?${query}`);
    return [body.data.map(({ event }) => event.msg), body.complete];
  };
  expect(await words("")).toEqual([[], true]);
  const code = component({
    name: "Levels",
    run: `console.debug("d" + event); console.log("Cat " + event, { seen: "dog" }); console.warn("w" + event)
      if (event === 2) throw new RangeError("a mouse")`,
  });
  const [one, two] = [await own.deploy(code), await own.deploy(code)];
  await own.run(one.id, 1);
  await own.clock.advance(1_000);
  await own.run(two.id, 2);
  await own.clock.advance(1_000);
  const { execution_id: last } = await own.run(one.id, 3);
  const cat = (event: number): string => `Cat ${event} { seen: 'dog' }`;
  const all = ["w3", cat(3), "d3", undefined, "w2", cat(2), "d2", "w1", cat(1), "d1"];
  expect(await words("limit=100")).toEqual([all, true]);
  expect(await words("limit=5")).toEqual([all.slice(0, 5), true]);
  expect(await words(`source_id=${two.id}`)).toEqual([all.slice(3, 7), true]);
  expect(await words("level=warn")).toEqual([["w3", undefined, "w2", "w1"], true]);
  expect(await words("level=error")).toEqual([[undefined], true]);
  expect(await words("level=info&limit=2")).toEqual([["w3", cat(3)], true]);
  expect(await words("q=cat%20DOG&limit=2")).toEqual([[cat(3), cat(2)], true]);
  expect(await words("q=mouse")).toEqual([[undefined], true]);
  expect(await words(`q=${last}`)).toEqual([all.slice(0, 3), true]);
  expect(await words(`q=${last.slice(0, 20)}`)).toEqual([[], true]);
});

test("the logs of all sources are followed, selected in the same way", async () => {
  const { id } = await service.deploy(code);
  const other = await service.deploy(code);
  await service.run(id, { list: [], logs: ["before"] });
  await using all = await openStream(service.url, "/logs/stream");
  await using one = await openStream(service.url, `/logs/stream?source_id=${id}&q=odd`);
  await using errors = await openStream(service.url, "/logs/stream?level=error");
  await service.run(other.id, { list: [], logs: ["odd elsewhere"] });
  await service.run(id, { list: [], logs: ["even", "odd"], fail: "broke" });
  const seen = async (stream: EventStream, count: number): Promise<unknown> =>
    (await stream.take(count)).map(({ data }) => {
      const { event, metadata } = JSON.parse(data) as AllLogs["data"][number];
      return [metadata.emitter_id === id, event.msg];
    });
  expect(await seen(all, 4)).toEqual([
    [false, "odd elsewhere"],
    [true, "even"],
    [true, "odd"],
    [true, undefined],
  ]);
  expect(await seen(one, 1)).toEqual([[true, "odd"]]);
  expect(await seen(errors, 1)).toEqual([[true, undefined]]);
  expect(all.lastId).toBe("");
});

test("3.5 since_id, name and q select events; limit and cursors apply to the selected ones", async () => {
  const { id } = await service.deploy(code);
  const list = Array.from({ length: 60 }, (_, n) => ({
    e: { n, status: n % 3 === 0 ? "open" : "closed", at: { "a/b~c": [n % 2 === 0] } },
    m: n % 4 === 0 ? { name: "side" } : {},
  }));
  await service.run(id, { list });
  const ids = (await service.events(id)).map((row) => row.id);
  const found = async (query: string): Promise<{ ns: number[]; total: number; cursor: string }> => {
    const { body } = await service.call<List<EventBody>>("GET", `/sources/${id}/event_summaries?${query}`);
    const ns = body.data.map((row) => (row.event as { n: number }).n);
    return { ns, total: body.page_info.total_count, cursor: body.page_info.end_cursor };
  };
  const multiples = (of: number, from = 0): number[] =>
    Array.from({ length: 60 }, (_, n) => n).filter((n) => n % of === 0 && n >= from);

  expect((await found(`since_id=${ids[56]}`)).ns).toEqual([59, 58, 57]);
  expect(await found(`since_id=${ids[9]}&limit=2`)).toMatchObject({ ns: [59, 58], total: 50 });
  expect(await found("q=/status=open&limit=100")).toMatchObject({ ns: multiples(3).toReversed(), total: 20 });
  expect(await found("q=/n=7")).toMatchObject({ ns: [7], total: 1 });
  expect(await found("q=/at/a~1b~0c/0=true&limit=100")).toMatchObject({ ns: multiples(2).toReversed() });
  expect(await found(`q=/status=open&name=side&since_id=${ids[20]}`)).toMatchObject({
    ns: multiples(12, 21).toReversed(),
    total: 3,
  });
  const first = await found("q=/status=open&limit=5");
  const second = await found(`q=/status=open&limit=5&after=${first.cursor}`);
  expect([...first.ns, ...second.ns]).toEqual(multiples(3).toReversed().slice(0, 10));
  expect((await found(`q=/status=open&limit=2&before=${first.cursor}`)).ns).toEqual([51, 48]);
  for (const nothing of ["q=/status=ope", "q=/nope=1", "q=/n/x=1", "q=/constructor=1", "q==1", "name=other"])
    expect(await found(nothing), nothing).toMatchObject({ ns: [], total: 0 });
  expect((await found("q=&since_id=&limit=1")).ns).toEqual([59]);
  for (const bad of ["q=status", "q=status=open", "q=/status", "since_id=x"])
    expect((await service.call("GET", `/sources/${id}/event_summaries?${bad}`)).status, bad).toBe(400);
});

test("3.5 q without a pointer compares the whole event", async () => {
  const { id } = await service.deploy(code);
  await service.run(id, { list: [{ e: "plain" }, { e: 5 }, { e: { a: 1 } }, { e: null }] });
  const found = async (q: string): Promise<unknown[]> => {
    const reply = await service.call<List<EventBody>>(
      "GET",
      `/sources/${id}/event_summaries?q=${encodeURIComponent(q)}`,
    );
    return reply.body.data.map((row) => row.event);
  };
  expect(await found("=plain")).toEqual(["plain"]);
  expect(await found("=5")).toEqual([5]);
  expect(await found('={"a":1}')).toEqual([{ a: 1 }]);
  expect(await found("=null")).toEqual([null]);
});

const failing = component({
  name: "Failing",
  run: "console.log('started', { a: 1 }); this.$emit('kept'); throw new RangeError('broke')",
});

test("R129 emits, errors and logs are three streams with names of their own", async () => {
  const { id } = await service.deploy(failing);
  await service.run(id);
  expect(await service.emitted(id)).toEqual(["kept"]);
  const named = async (stream: "" | "$errors/" | "$logs/"): Promise<unknown[]> =>
    (await service.events(id, stream)).map(({ metadata }) => [metadata["name"], metadata["emitter_id"]]);
  expect(await named("")).toEqual([["", id]]);
  expect(await named("$errors/")).toEqual([["$errors", id]]);
  expect(await named("$logs/")).toEqual([
    ["$logs", id],
    ["$logs", id],
  ]);
});

test("R120 the output and the error of a run are in the logs, whatever triggered it", async () => {
  const source = await service.deploy(
    component({
      name: "Triggered",
      props: 'http: "$.interface.http", timer: "$.interface.timer"',
      run: 'console.log("ran", event.by ?? event.method ?? event.interval_seconds); throw new RangeError("broke")',
    }),
    { timer: { intervalSeconds: 60 } },
  );
  await service.run(source.id, { by: "hand" });
  await service.hit(source);
  await service.runtime.idle();
  await service.advance(60_000);
  const logs = (await service.events(source.id, "$logs/")).map((row) => row.event);
  expect(logs).toMatchObject(
    ["hand", "GET", 60].flatMap((by) => [
      { k: "console.log", data: ["ran", by] },
      { k: "err", err: { name: "RangeError", message: "broke" } },
    ]),
  );
  await service.call("DELETE", `/sources/${source.id}`);
});

test("3.6 an error record has the event, its context with ISO times and ids, and the error", async () => {
  const { id } = await service.deploy(failing);
  const { execution_id } = await service.run(id, { why: "test" });
  const [record] = await service.events(id, "$errors/");
  const iso = new Date(service.clock.now()).toISOString();
  expect(record?.event).toEqual({
    original_event: { why: "test" },
    original_context: {
      id: execution_id,
      ts: iso,
      workflow_id: id,
      deployment_id: expect.stringMatching(/^d_/) as string,
      source_type: "MANUAL",
      verified: false,
      owner_id: expect.stringMatching(/^u_/) as string,
      platform_version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
    },
    error: {
      code: "RangeError",
      cellId: "c_run",
      msg: "broke",
      ts: iso,
      stack: expect.stringContaining("broke") as string,
    },
  });
});
