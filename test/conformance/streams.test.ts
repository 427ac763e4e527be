import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { withoutWarnings } from "../../packages/sandbox/src/guest/node-warnings.cases.ts";
import { listenTo } from "./event-source.ts";
import { openStream } from "./event-stream.ts";
import { apiKey, component, type EventBody, type Service, startService } from "./fixture.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

/** Emits `event.list`, on channel `event.name`; logs and fails when asked. */
const code = component({
  name: "Speaker",
  run: `for (const item of event.list ?? []) this.$emit(item, { name: event.name });
    if (event.log) console.log(event.log);
    if (event.fail) throw new Error(event.fail);`,
});
const speak = (id: string, list: unknown[], more: object = {}): Promise<unknown> =>
  service.run(id, { list, ...more } as never);
const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

test("G03 the data of an event is its expanded summary in one line", async () => {
  const { id } = await service.deploy(code);
  await using stream = await openStream(service.url, `/sources/${id}/sse`);
  const long = `${"x".repeat(2_000)}\n\u2028 end`;
  await speak(id, ["a", { text: long }]);
  const messages = await stream.take(2);
  const stored = await service.events(id);
  expect(messages.map(({ data }) => data)).toEqual(stored.map((row) => JSON.stringify(row)));
  expect(stored[1]?.event).toEqual({ text: long });
});

test("G02 an event has its id and no name, in a text/event-stream with a retry time", async () => {
  const { id } = await service.deploy(code);
  await using stream = await openStream(service.url, `/sources/${id}/sse`);
  const { headers, status } = stream.response;
  expect([status, headers.get("content-type"), headers.get("cache-control")]).toEqual([
    200,
    "text/event-stream; charset=utf-8",
    "no-store, no-transform",
  ]);
  await speak(id, ["a", "b"]);
  const messages = await stream.take(2);
  const stored = await service.events(id);
  expect(messages.map((message) => message.id)).toEqual(stored.map((row) => row.id));
  for (const message of messages) expect(message).not.toHaveProperty("event");
  expect(stream.retry).toBeGreaterThan(0);
});

test("channels=all follows the events of every channel, and replays them", async () => {
  const { id } = await service.deploy(code);
  await speak(id, ["a"], { name: "side" });
  await speak(id, ["b"]);
  await using stream = await openStream(service.url, `/sources/${id}/sse?channels=all&replay=5`);
  expect(await stream.payloads(2)).toEqual(["a", "b"]);
  await speak(id, ["c"], { name: "side" });
  await speak(id, ["d"]);
  expect(await stream.payloads(2)).toEqual(["c", "d"]);
  expect((await service.call("GET", `/sources/${id}/sse?channels=some`)).status).toBe(400);
});

test("G02 nothing is replayed without a cursor, and the last n with replay", async () => {
  const { id } = await service.deploy(code);
  await speak(id, numbers(1, 60));
  await using plain = await openStream(service.url, `/sources/${id}/sse`);
  await using three = await openStream(service.url, `/sources/${id}/sse?replay=3`);
  await using all = await openStream(service.url, `/sources/${id}/sse?replay=100`);
  await speak(id, ["new"]);
  expect(await plain.payloads(1)).toEqual(["new"]);
  expect(await three.payloads(4)).toEqual([58, 59, 60, "new"]);
  expect(await all.payloads(61)).toEqual([...numbers(1, 60), "new"]);
});

test("G02 stored events after Last-Event-ID or after come first, in order; the header overrides the parameter", async () => {
  const { id } = await service.deploy(code);
  await speak(id, numbers(0, 49));
  const ids = (await service.events(id)).map((row) => row.id);
  const path = `/sources/${id}/sse`;
  await using byHeader = await openStream(service.url, path, ids[4]);
  await using byQuery = await openStream(service.url, `${path}?after=${ids[39]}`);
  await using byBoth = await openStream(service.url, `${path}?after=${ids[0]}&replay=2`, ids[47]);
  await using upToDate = await openStream(service.url, path, ids[49]);
  await speak(id, ["live"]);
  expect(await byHeader.payloads(46)).toEqual([...numbers(5, 49), "live"]);
  expect(await byQuery.payloads(11)).toEqual([...numbers(40, 49), "live"]);
  expect(await byBoth.payloads(3)).toEqual([48, 49, "live"]);
  expect(await upToDate.payloads(1)).toEqual(["live"]);
});

test("G02 a cursor older than the retained events leads to a gap event without an id", async () => {
  const { id } = await service.deploy(code);
  await speak(id, ["old"]);
  const [old] = await service.events(id);
  await speak(id, numbers(1, 100));
  await using within = await openStream(service.url, `/sources/${id}/sse?after=${(await service.events(id))[0]?.id}`);
  expect(await within.payloads(99)).toEqual(numbers(2, 100));
  await speak(id, numbers(101, 120));
  await using stream = await openStream(service.url, `/sources/${id}/sse`, old?.id);
  const [gap, first] = await stream.take(2);
  const kept = await service.events(id);
  expect(gap).toEqual({ event: "gap", data: JSON.stringify({ after: old?.id, oldest: kept[0]?.id }) });
  expect(first?.id).toBe(kept[0]?.id);
  expect(await stream.payloads(99)).toEqual(numbers(22, 120));
});

test("G02 a cursor from before the first event is no gap while all events are retained", async () => {
  const { id } = await service.deploy(code);
  await speak(id, [1, 2]);
  await using stream = await openStream(service.url, `/sources/${id}/sse?after=0-0`);
  expect(await stream.payloads(2)).toEqual([1, 2]);
});

test("G01 the stream parameter chooses $errors, $logs or a channel; by default it is the default channel", async () => {
  const { id } = await service.deploy(code);
  const open = (query: string): ReturnType<typeof openStream> => openStream(service.url, `/sources/${id}/sse${query}`);
  await speak(id, ["stored"], { name: "side" });
  await using plain = await open("");
  await using named = await open("?stream=side&replay=5");
  await using spelled = await open("?stream=default");
  await using errors = await open("?stream=$errors");
  await using logs = await open("?stream=%24logs");
  await speak(id, ["s"], { name: "side" });
  await speak(id, ["p"], { log: "said", fail: "broke" });
  expect(await plain.payloads(1)).toEqual(["p"]);
  expect(await named.payloads(2)).toEqual(["stored", "s"]);
  expect(await spelled.payloads(1)).toEqual(["p"]);
  expect(await errors.payloads(1)).toMatchObject([{ error: { msg: "broke" } }]);
  expect(await logs.payloads(2)).toMatchObject([{ msg: "said" }, { k: "err" }]);
});

test("G02 a stream without events sends comments", async () => {
  await using quick = await startService({}, { app: { streams: { beatMs: 5 } } });
  const { id } = await quick.deploy(code);
  await using stream = await openStream(quick.url, `/sources/${id}/sse`);
  const ended = stream.ended();
  await expect.poll(() => stream.comments.length).toBeGreaterThan(3);
  expect(new Set(stream.comments.slice(1))).toEqual(new Set(["keep-alive"]));
  await quick.call("DELETE", `/sources/${id}`);
  expect(await ended).toBe("ended");
});

test("S12 streams are at …/sse of sources and workflows only", async () => {
  const { id } = await service.deploy(code);
  const status = async (path: string, method = "GET", headers = {}): Promise<number> =>
    (await service.call(method, path, undefined, headers)).status;
  for (const path of [
    "/sse",
    `/sse/dc/${id}/emits`,
    `/sse/dc/${id}`,
    `/sources/${id}/sse/emits`,
    `/sources/${id}/emits`,
  ])
    expect(await status(path), path).toBe(404);
  for (const path of [`/sources/${id}/event_summaries`, `/sources/${id}/logs`]) {
    const reply = await service.call("GET", path, undefined, { accept: "text/event-stream" });
    expect(reply.headers.get("content-type"), path).toMatch(/^application\/json/);
  }
  expect(await status("/sources/dc_none/sse")).toBe(404);
  expect(await status(`/sources/${id}/sse`, "POST")).toBe(405);
});

test("R115 streams require a key", async () => {
  const { id } = await service.deploy(code);
  for (const authorization of ["Bearer wrong", "", `Bearer ${apiKey}x`]) {
    const reply = await service.call("GET", `/sources/${id}/sse`, undefined, { authorization });
    expect([reply.status, reply.body.code]).toEqual([401, "unauthorized"]);
  }
});

test("G02 invalid cursors and counts are 400, and HEAD has no events", async () => {
  const { id } = await service.deploy(code);
  const status = async (query: string, headers = {}): Promise<number> =>
    (await service.call("GET", `/sources/${id}/sse?${query}`, undefined, headers)).status;
  for (const query of ["after=x", "replay=0", "replay=101", "replay=-1", "stream=$other", "after=1-1&after=2-2"])
    expect(await status(query), query).toBe(400);
  expect(await status("", { "last-event-id": "latest" })).toBe(400);
  const head = await fetch(`${service.url}/v1/sources/${id}/sse`, {
    method: "HEAD",
    headers: { authorization: `Bearer ${apiKey}` },
  });
  expect([head.status, head.headers.get("content-type"), await head.text()]).toEqual([
    200,
    "text/event-stream; charset=utf-8",
    "",
  ]);
});

test("G02 include and exclude select fields of streamed events", async () => {
  const { id } = await service.deploy(code);
  await using stream = await openStream(service.url, `/sources/${id}/sse?include=event`);
  await speak(id, [1]);
  const [message] = await stream.take(1);
  expect(JSON.parse(message?.data ?? "")).toEqual({ id: message?.id, event: 1 });
});

test("G02 streams end immediately when the server closes", async () => {
  const own = await startService();
  const { id } = await own.deploy(code);
  const stream = await openStream(own.url, `/sources/${id}/sse`);
  await own.run(id, { list: [1] });
  expect(await stream.payloads(1)).toEqual([1]);
  const ended = stream.ended();
  await own[Symbol.asyncDispose]();
  expect(await ended).toBe("ended");
});

test("G02 a client that resumes gets every event exactly once, also over restarts", async () => {
  const data = await mkdtemp(join(tmpdir(), "x-streams-"));
  const received: unknown[] = [];
  let lastId: string | undefined;
  let id = "";
  try {
    for (let round = 0; round < 2; round++) {
      await using own = await startService({ data });
      id ||= (await own.deploy(code)).id;
      const emit = (n: number): Promise<unknown> => own.run(id, { list: [`${round}-${n}-a`, `${round}-${n}-b`] });
      // Some occur before the client connects, some meanwhile, some later; two remain for the next round.
      await emit(0);
      const running = Promise.all([1, 2, 3].map(emit));
      await using stream = await openStream(own.url, `/sources/${id}/sse?after=0-0`, lastId);
      await running;
      await emit(4);
      received.push(...(await stream.payloads(round === 0 ? 8 : 10)));
      lastId = stream.lastId;
    }
    await using own = await startService({ data });
    await using stream = await openStream(own.url, `/sources/${id}/sse`, lastId);
    received.push(...(await stream.payloads(2)));
    const all = await own.emitted(id);
    expect(all).toHaveLength(20);
    expect(received).toEqual(all);
  } finally {
    await rm(data, { recursive: true, force: true });
  }
});

test("G02 a client that falls behind is disconnected without a gap, and can resume", async () => {
  await using own = await startService({}, { app: { streams: { backlog: 3 } } });
  const { id } = await own.deploy(code);
  const path = `/sources/${id}/sse`;
  await using behind = await openStream(own.url, path);
  await own.run(id, { list: numbers(0, 19) });
  const received = await behind.payloads(20);
  expect(await behind.ended()).toBe("ended");
  expect([received.length >= 3, received.length < 20]).toEqual([true, true]);
  await using again = await openStream(own.url, path, behind.lastId);
  received.push(...(await again.payloads(20 - received.length)));
  expect(received).toEqual(numbers(0, 19));
});

test("G02 an EventSource reconnects by itself after a restart, and gets every event exactly once", async () => {
  const data = await mkdtemp(join(tmpdir(), "x-event-source-"));
  const restart = (port?: number): Promise<Service> => startService({ data }, port ? { listen: { port } } : {});
  let own = await restart();
  const url = own.url;
  const { id } = await own.deploy(code);
  await own.run(id, { list: ["before"] });
  // undici warns that its EventSource is experimental.
  const source = await withoutWarnings(() => listenTo(`${url}/v1/sources/${id}/sse?replay=1`));
  try {
    expect(await source.received(1)).toEqual(["before"]);
    await own.run(id, { list: ["live", "last"] });
    expect(await source.received(3)).toEqual(["before", "live", "last"]);
    // Events during the restart reach the client by its cursor only.
    await own[Symbol.asyncDispose]();
    own = await restart();
    await own.run(id, { list: ["missed 1", "missed 2"] });
    await own[Symbol.asyncDispose]();
    own = await restart(Number(new URL(url).port));
    expect(await source.received(5)).toEqual(["before", "live", "last", "missed 1", "missed 2"]);
    await own.run(id, { list: ["live again"] });
    expect(await source.received(6)).toEqual(await own.emitted(id));
    expect(source.connections).toBe(2);
  } finally {
    source.close();
    await own[Symbol.asyncDispose]();
    await rm(data, { recursive: true, force: true });
  }
});

test("S31 an emit named default is on the default stream, with an empty name, in lists and streams", async () => {
  const { id } = await service.deploy(code);
  await using stream = await openStream(service.url, `/sources/${id}/sse?stream=default`);
  await speak(id, ["a"], { name: "default" });
  await speak(id, ["side"], { name: "side" });
  await speak(id, ["b"]);
  const received = (await stream.take(2)).map(({ data }) => JSON.parse(data) as EventBody);
  expect(received.map(({ event, metadata }) => [event, metadata["name"]])).toEqual([
    ["a", ""],
    ["b", ""],
  ]);
  for (const name of ["", "default"]) {
    const { body } = await service.call<{ data: EventBody[] }>("GET", `/sources/${id}/event_summaries?name=${name}`);
    expect(
      body.data.map(({ event }) => event),
      name,
    ).toEqual(["b", "a"]);
  }
});

test.each([
  ["$errors", "$emit: name $errors is a stream of the runtime; choose another name"],
  ["$logs", "$emit: name $logs is a stream of the runtime; choose another name"],
  ["$mine", '$emit: name "$mine" begins with "$", as only streams of the runtime do; choose another name'],
  ["n".repeat(257), "$emit: name must be at most 256 bytes, got 257"],
])("S31 an emit named %s throws", async (name, message) => {
  const { id } = await service.deploy(code);
  const run = await service.run(id, { list: ["a"], name });
  expect([run.status, run.error?.name, run.error?.message]).toEqual(["error", "EmitNameError", message]);
  expect(await service.events(id)).toEqual([]);
});
