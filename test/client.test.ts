import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { createClient, DeliveryError, RestError, type Source, verifyDelivery } from "@x/client";
import { afterAll, beforeAll, expect, test } from "vitest";

import { startReceiver } from "../packages/runtime/src/webhooks/receiver.cases.ts";
import { apiKey, component, type Service, startService } from "./conformance/fixture.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const clientOf = ({ url }: { readonly url: string }) => createClient({ url, apiKey });
const code = component({ name: "Speaker", run: "this.$emit(event.n ?? 0)" });

/** A server on loopback that answers each request as the next of `answers` does. */
async function serve(answers: readonly ((request: IncomingMessage, response: ServerResponse) => void)[]) {
  const left = [...answers];
  const server = createServer((request, response) => {
    const answer = left.shift();
    if (answer) answer(request, response);
    else response.writeHead(410).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("requests, lists and their pages are those of the service", async () => {
  const client = clientOf(service);
  const names = ["a", "b", "c"];
  const made: Source[] = [];
  for (const name of names)
    made.push((await client.request("POST /sources", { body: { component_code: code, name } })).data);
  const [first] = made;
  expect(await client.request("GET /sources/{id}", { path: { id: first?.id ?? "" } })).toMatchObject({
    data: { name: "a", active: true },
  });
  const listed: string[] = [];
  for await (const { name } of client.list("GET /users/me/sources", { query: { limit: 2 } })) listed.push(name);
  expect(listed).toEqual(["c", "b", "a"]);
  const counts: number[] = [];
  for await (const { data } of client.pages("GET /users/me/sources", { query: { limit: 2 } })) counts.push(data.length);
  expect(counts).toEqual([2, 1]);
  for (const { id } of made) expect(await client.request("DELETE /sources/{id}", { path: { id } })).toBeUndefined();
});

test("a failure has the code, the status and every problem; a path cannot leave its place", async () => {
  const client = clientOf(service);
  const failure = async (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);
  const missing = await failure(client.request("GET /sources/{id}", { path: { id: "dc_0000000000" } }));
  expect(missing).toBeInstanceOf(RestError);
  expect(missing).toMatchObject({ code: "not_found", status: 404 });
  const body = { component_code: code, name: "", configured_props: 7 } as never;
  expect(await failure(client.request("POST /sources", { body }))).toMatchObject({
    code: "invalid_parameter",
    details: { errors: [{ path: "/name" }, { path: "/configured_props" }] },
  });
  expect(await failure(createClient({ url: service.url }).request("GET /users/me"))).toMatchObject({ status: 401 });
  expect(await failure(client.request("GET /executions/{id}/test", { path: { id: "a/b?c" } }))).toMatchObject({
    status: 404,
  });
  for (const id of ["", ".", ".."])
    expect(await failure(client.request("GET /sources/{id}", { path: { id } }))).toBeInstanceOf(TypeError);
});

test("what is no service of x is reported as such", async () => {
  await using other = await serve([
    (_, response) => response.end("<html>"),
    (_, response) => response.writeHead(502).end("Bad gateway"),
    (_, response) => response.writeHead(302, { location: "/elsewhere" }).end(),
    (_, response) =>
      response.writeHead(429, { "retry-after": "7" }).end('{"error":"Slow down.","code":"rate_limited"}'),
    (_, response) => response.destroy(),
    (_, response) => response.end('{"data":{}}'),
    (_, response) => response.end('["a"]'),
  ]);
  const client = clientOf(other);
  const failures = [];
  for (let n = 0; n < 5; n += 1) failures.push(await client.request("GET /users/me").catch((error: unknown) => error));
  expect(failures).toMatchObject([
    { code: "unexpected_answer", status: 200 },
    { code: "unexpected_answer", status: 502 },
    { code: "unexpected_answer", status: 302 },
    { code: "rate_limited", status: 429, retryAfterSeconds: 7, details: {} },
    { code: "unreachable", status: 0 },
  ]);
  for (let n = 0; n < 2; n += 1)
    await expect(client.list("GET /users/me/sources").next()).rejects.toMatchObject({ code: "unexpected_answer" });
});

test("events are followed from the past into the present, until the loop ends", async () => {
  const client = clientOf(service);
  const { data } = await client.request("POST /sources", { body: { component_code: code } });
  const path = { id: data.id };
  await service.run(data.id, { n: 1 });
  const seen: unknown[] = [];
  for await (const event of client.follow("GET /sources/{id}/sse", { path, lastEventId: "0-0" })) {
    seen.push((JSON.parse(event.data) as { readonly event: unknown }).event);
    if (seen.length === 3) break;
    await service.run(data.id, { n: seen.length + 1 });
  }
  expect(seen).toEqual([1, 2, 3]);
});

test("after a broken connection it goes on behind the last event; an answer of 4xx ends it", async () => {
  const asked: unknown[] = [];
  const stream = (response: ServerResponse): ServerResponse =>
    response.writeHead(200, { "content-type": "text/event-stream" });
  await using other = await serve([
    ({ headers }, response) => {
      asked.push(headers["last-event-id"]);
      stream(response).write("retry: 1\n\nid: 1-0\ndata: 1\n\nid: 2-0\ndata: 2\n\nid: 3-0\ndata: cut");
      setImmediate(() => response.destroy());
    },
    (_, response) => response.destroy(),
    (_, response) => response.writeHead(503).end('{"error":"Closed.","code":"closed","details":{}}'),
    ({ headers }, response) => {
      asked.push(headers["last-event-id"]);
      stream(response).end('id: 3-0\nevent: gap\ndata: {}\n\nid: 4-0\ndata: "ü"\n\n');
    },
  ]);
  const states: unknown[] = [];
  const events: unknown[] = [];
  const follow = async (): Promise<void> => {
    const onState = (state: string): void => void states.push(state);
    for await (const event of clientOf(other).follow("GET /executions/stream", { lastEventId: "0-1", onState }))
      events.push([event.id, event.name, event.data]);
  };
  await expect(follow()).rejects.toMatchObject({ status: 410 });
  expect(asked).toEqual(["0-1", "2-0"]);
  expect(events).toEqual([
    ["1-0", "message", "1"],
    ["2-0", "message", "2"],
    ["3-0", "gap", "{}"],
    ["4-0", "message", '"ü"'],
  ]);
  const attempt = ["connecting", "waiting"];
  expect(states).toEqual([
    "connecting",
    "open",
    "waiting",
    ...attempt,
    ...attempt,
    "connecting",
    "open",
    "waiting",
    "connecting",
  ]);
});

test("a stream that ends before its first event goes on behind the id that it began with", async () => {
  const asked: unknown[] = [];
  await using other = await serve([
    (_, response) => void response.writeHead(200).end(": connected\nretry: 1\nid: 7-0\n\n"),
    ({ headers }, response) => {
      asked.push(headers["last-event-id"]);
      response.writeHead(200).end("retry: 1\n\nid: 8-0\ndata: 8\n\n");
    },
  ]);
  const stop = new AbortController();
  for await (const { id } of clientOf(other).follow("GET /executions/stream", { signal: stop.signal })) {
    asked.push(id);
    stop.abort();
  }
  expect(asked).toEqual(["7-0", "8-0"]);
});

test("a list is read back from a cursor, a page at a time", async () => {
  const client = clientOf(service);
  for (let n = 0; n < 3; n += 1) await client.request("POST /sources", { body: { component_code: code } });
  const all = await client.request("GET /users/me/sources", { query: { limit: 100 } });
  const ids = all.data.map(({ id }) => id);
  const { data } = await client.request("GET /users/me/sources", { query: { limit: 2 } });
  expect(data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
  const { page_info: last } = all;
  const back: string[][] = [];
  const query = { limit: 2, before: last.end_cursor };
  for await (const page of client.pages("GET /users/me/sources", { query })) back.push(page.data.map(({ id }) => id));
  expect(back.toReversed().flat()).toEqual(ids.slice(0, -1));
});

test("a signal ends a stream and a request; what onState throws ends a stream", async () => {
  const stopRequest = new AbortController();
  await using other = await serve([
    (_, response) => void response.writeHead(200).write("retry: 1\n\ndata: 1\n\n"),
    () => stopRequest.abort(new Error("enough")),
    (_, response) => response.destroy(),
  ]);
  const client = clientOf(other);
  const stop = new AbortController();
  for await (const _ of client.follow("GET /executions/stream", { signal: stop.signal })) stop.abort();
  await expect(client.request("GET /users/me", { signal: stopRequest.signal })).rejects.toThrow("enough");
  const onState = (_: unknown, error?: unknown): void => {
    if (error) throw error;
  };
  await expect(client.follow("GET /executions/stream", { onState }).next()).rejects.toMatchObject({
    code: "unreachable",
  });
});

test("deliveries that the service signs are verified, and no others", async () => {
  const client = clientOf(service);
  const receiver = await startReceiver();
  try {
    const { data } = await client.request("POST /sources", {
      body: { component_code: code, webhook_url: receiver.on("/hook", (response) => response.writeHead(204).end()) },
    });
    await service.run(data.id, { n: 5 });
    await receiver.reached(1);
    const [{ headers, body } = expect.unreachable()] = receiver.received;
    const signingKey = data.webhook?.signing_key ?? "";
    const now = Number(headers["webhook-timestamp"]) * 1000;
    const given = { signingKey, headers, body, now };
    const id = String(headers["webhook-id"]);
    expect(await verifyDelivery(given)).toEqual({ id, timestamp: now / 1000, payload: 5 });
    expect(
      await verifyDelivery({ ...given, body: Buffer.from(body), signingKey: ["whsec_AAAA", signingKey] }),
    ).toMatchObject({
      payload: 5,
    });
    expect(await verifyDelivery({ ...given, headers: new Headers(headers as Record<string, string>) })).toMatchObject({
      id,
    });
    const refused = async (changes: Partial<typeof given>) =>
      verifyDelivery({ ...given, ...changes }).catch((error: unknown) => error);
    const wrong: [Partial<typeof given>, DeliveryError["code"]][] = [
      [{ body: `${body} ` }, "wrong_signature"],
      [{ signingKey: "whsec_AAAA" }, "wrong_signature"],
      [{ signingKey: "whsec_ä" }, "invalid_key"],
      [{ signingKey: "" }, "invalid_key"],
      [{ now: now + 301_000 }, "wrong_time"],
      [{ now: now - 301_000 }, "wrong_time"],
      [{ headers: { ...headers, "webhook-id": "msg_2" } }, "wrong_signature"],
      [{ headers: { ...headers, "webhook-timestamp": "soon" } }, "wrong_time"],
      [{ headers: { ...headers, "webhook-signature": "v1,???" } }, "wrong_signature"],
      [{ headers: {} }, "missing_header"],
    ];
    for (const [changes, expected] of wrong) {
      const error = await refused(changes);
      expect(error).toBeInstanceOf(DeliveryError);
      expect(error).toMatchObject({ code: expected });
    }
    const text = "no JSON";
    const signature = createHmac("sha256", Buffer.from(signingKey.slice(6), "base64"))
      .update(`${id}.${now / 1000}.${text}`)
      .digest("base64");
    const signed = { ...headers, "webhook-signature": `v1,${signature}` };
    expect(await refused({ body: text, headers: signed })).toMatchObject({ code: "invalid_body" });
  } finally {
    await receiver.close();
  }
});
