import { once } from "node:events";
import { connect, type Socket } from "node:net";

import { createRuntime, type Runtime } from "@x/runtime";
import { afterAll, beforeAll, expect, test } from "vitest";

import { testEngine } from "../../runtime/src/engine.cases.ts";
import type { AppOptions } from "./app-options.ts";
import { createApp } from "./app.ts";
import { type ClientLimits, listen, type Listening } from "../../http/src/node.ts";

const mebibyte = 1024 * 1024;
const eventCount = 8;
const eventBytes = 3 * mebibyte;

let runtime: Runtime;
let id: string;
let endpoint: string;
let authorization: string;
beforeAll(async () => {
  runtime = await createRuntime({ engine: await testEngine() });
  await runtime.start();
  const code = `export default { name: "Large", version: "1", props: { http: { type: "$.interface.http", customResponse: true } },
    run(event) {
      if (event.method) this.http.respond({ status: 200, body: "x".repeat(${eventBytes}) });
      else this.$emit({ n: event.n, text: "é".repeat(${eventBytes / 2}) });
    } }`;
  const { source } = await runtime.deploy({ code });
  id = source.id;
  endpoint = new URL(source.endpoints["http"] ?? "").pathname;
  authorization = `Bearer ${(await runtime.user()).user.apiKey}`;
  for (let n = 0; n < eventCount; n++) await runtime.invoke(id, { event: { n } });
});
afterAll(() => runtime.close());

const serve = (options: AppOptions = {}, limits: Partial<ClientLimits> = {}): Promise<Listening> =>
  listen(createApp(runtime, options), { limits });

interface List {
  readonly page_info: { total_count: number; count: number; start_cursor: string; end_cursor: string };
  readonly data: { id: string; event?: { n: number; text: string }; event_truncated?: true; event_bytes?: number }[];
}

async function list(server: Listening, query: string): Promise<List> {
  const response = await fetch(`${server.url}/v1/sources/${id}/event_summaries?${query}`, {
    headers: { authorization },
  });
  const text = await response.text();
  expect(response.status, text.slice(0, 300)).toBe(200);
  return JSON.parse(text) as List;
}

/** A client that asks and reads nothing. */
async function ask(server: Listening, path: string): Promise<Socket> {
  const socket = connect(server.port, "127.0.0.1").pause();
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\nauthorization: ${authorization}\r\n\r\n`);
  return socket;
}

const listPath = (): string => `/v1/sources/${id}/event_summaries?limit=100&expand=event`;

async function statusOf(server: Listening, path: string): Promise<[number, string | null, unknown]> {
  const response = await fetch(server.url + path, { headers: { authorization } });
  const text = await response.text();
  const code = response.status === 200 ? undefined : (JSON.parse(text) as { code: unknown }).code;
  return [response.status, response.headers.get("retry-after"), code];
}

test.each([
  ["older events", "after", (page: List) => page.page_info.end_cursor],
  ["newer events", "before", (page: List) => page.page_info.start_cursor],
])("R093 pages of large events end early, and following the cursors to %s shows each once", async (_to, by, next) => {
  await using server = await serve();
  const seen: number[] = [];
  let cursor = by === "before" ? "0-0" : "";
  for (;;) {
    const page = await list(server, `limit=100&expand=event&${by}=${cursor}`);
    if (page.data.length === 0) break;
    expect(page.page_info).toMatchObject({ total_count: eventCount, count: page.data.length });
    expect(page.data.length).toBeLessThanOrEqual(2);
    for (const { event } of page.data) expect(event?.text).toHaveLength(eventBytes / 2);
    seen.push(...page.data.map(({ event }) => event?.n ?? -1));
    cursor = next(page);
  }
  expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: eventCount }, (_, n) => n));
});

test("R095 without expand a page has as many events as its limit, with their sizes", async () => {
  await using server = await serve();
  const { data, page_info: page } = await list(server, "limit=100");
  expect([page.count, data[0]?.event_truncated, data[0]?.event]).toEqual([eventCount, true, undefined]);
  expect(data[0]?.event_bytes).toBe(Buffer.byteLength(JSON.stringify({ n: 7, text: "" })) + eventBytes);
});

test("3.5 a filter searches large events, and its pages end early too", async () => {
  await using server = await serve();
  const one = await list(server, "q=/n=3&expand=event");
  expect(one.data.map(({ event }) => event?.n)).toEqual([3]);
  expect((await list(server, "q=/n=3")).data[0]).toMatchObject({ event_truncated: true });
  const all = await list(server, "since_id=0-0&limit=100&expand=event");
  expect([all.page_info.total_count, all.data.map(({ event }) => event?.n)]).toEqual([eventCount, [7, 6]]);
  const before = await list(server, "since_id=0-0&limit=100&expand=event&before=0-0");
  expect(before.data.map(({ event }) => event?.n)).toEqual([1, 0]);
});

test("3.1 include and exclude select fields of large events", async () => {
  await using server = await serve();
  const { data } = await list(server, "limit=1&expand=event&include=event.n");
  expect(data).toEqual([{ id: data[0]?.id, event: { n: 7 } }]);
  const [rest] = (await list(server, "limit=1&expand=event&exclude=event.text,metadata")).data;
  expect(rest?.event).toEqual({ n: 7 });
});

test("unread answers have a budget per user: beyond it lists answer 503 until some are read", async () => {
  await using server = await serve({ budgets: { answerBytesPerUser: 13 * mebibyte } });
  const unread: Socket[] = [];
  for (let n = 0; n < 3; n++) unread.push(await ask(server, listPath()));
  await expect.poll(() => statusOf(server, listPath())).toEqual([503, "1", "overloaded"]);
  // What is small is answered.
  expect((await statusOf(server, "/v1/users/me"))[0]).toBe(200);
  for (const socket of unread) socket.destroy();
  await expect.poll(async () => (await statusOf(server, listPath()))[0]).toBe(200);
});

test("a client that does not read its answer in time is disconnected, and its bytes are released", async () => {
  await using server = await serve({ budgets: { answerBytesPerUser: mebibyte } }, { stallMs: 2_000 });
  const socket = await ask(server, listPath());
  const closed = new Promise((resolve) => socket.once("close", resolve));
  await expect.poll(async () => (await statusOf(server, listPath()))[0]).toBe(503);
  // It sends on, and reads nothing: that is no progress.
  const sending = setInterval(() => socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n"), 10);
  socket.on("end", () => socket.destroy());
  await expect.poll(async () => (await statusOf(server, listPath()))[0]).toBe(200);
  clearInterval(sending);
  socket.resume();
  await closed;
});

test("answers of endpoints have their own budget; those without progress are evicted", async () => {
  const endpointAnswerBytesPerEndpoint = 4 * mebibyte;
  await using server = await serve({ budgets: { endpointAnswerBytesPerEndpoint } });
  const unread = await Promise.all([1, 2, 3].map(() => ask(server, endpoint)));
  const gone = Promise.race(unread.map((socket) => once(socket.resume().pause(), "close")));
  await expect.poll(async () => (await statusOf(server, endpoint))[0]).toBe(200);
  for (const socket of unread) socket.destroy();
  await gone;
  expect((await statusOf(server, "/v1/users/me"))[0]).toBe(200);
});

/** Counts the events of a stream, as its client reads it. */
async function countEvents(body: ReadableStream<Uint8Array>, most: number): Promise<number> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true }).replaceAll("é", "");
    if (text.split("\nid: ").length - 1 >= most && text.endsWith("\n\n")) break;
  }
  return text.split("\nid: ").length - 1;
}

test("G02 streams that replay to slow clients share a budget, and wait for each other", async () => {
  await using server = await serve({ budgets: { answerBytesPerUser: 4 * mebibyte } });
  const path = `/v1/sources/${id}/sse?replay=100`;
  const open = (): Promise<Response> => fetch(server.url + path, { headers: { authorization } });
  const [first, second] = [await open(), await open()];
  if (!first.body || !second.body) throw new Error("no body");
  // The second has what it needs when the first has been read.
  expect(await countEvents(first.body, eventCount)).toBe(eventCount);
  expect(await countEvents(second.body, eventCount)).toBe(eventCount);
});
