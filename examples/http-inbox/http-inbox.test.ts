import { fileURLToPath } from "node:url";

import { createRuntime, type Runtime, type Source } from "@x/runtime";
import { expect, test } from "vitest";

const file = fileURLToPath(new URL("http-inbox.js", import.meta.url));

/** Sends a request to the source's endpoint; a body becomes JSON. */
async function send(runtime: Runtime, source: Source, method: string, body?: unknown) {
  const response = await runtime.request(source.endpoints["http"] ?? "", {
    method,
    path: "/",
    url: "http://127.0.0.1/",
    search: "",
    headers: [["content-type", "application/json"]],
    body: new TextEncoder().encode(body === undefined ? "" : JSON.stringify(body)),
    clientIp: "127.0.0.1",
  });
  const json: unknown = JSON.parse(new TextDecoder().decode(response.body));
  return { status: response.status, headers: Object.fromEntries(response.headers), body: json };
}

async function emitted(runtime: Runtime, source: Source): Promise<unknown[]> {
  await runtime.idle();
  const { items } = await runtime.storedEvents(source.id, "emits", { limit: 10 });
  return items.map(({ payload }) => JSON.parse(payload) as unknown);
}

test("a message is answered 201 with its id, and emitted", async () => {
  await using runtime = await createRuntime();
  const { source } = await runtime.deploy({ file });
  const { status, body } = await send(runtime, source, "POST", { message: "hello", from: "me" });
  expect([status, body]).toEqual([201, { id: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown }]);
  expect(await emitted(runtime, source)).toEqual([{ ...(body as object), message: "hello", from: "me" }]);
});

test("the same id twice is answered twice and emitted once", async () => {
  await using runtime = await createRuntime();
  const { source } = await runtime.deploy({ file });
  for (const message of ["first", "again"]) {
    const { status, body } = await send(runtime, source, "POST", { id: "order-1", message });
    expect([status, body]).toEqual([201, { id: "order-1" }]);
  }
  expect(await emitted(runtime, source)).toEqual([{ id: "order-1", message: "first", from: null }]);
});

test("what is no message is refused and not emitted", async () => {
  await using runtime = await createRuntime();
  const { source } = await runtime.deploy({ file });
  const long = "x".repeat(1_001);
  const bad = [undefined, [], {}, { message: " " }, { message: long }, { message: "x", id: "a b" }];
  const answers = await Promise.all(bad.map((body) => send(runtime, source, "POST", body)));
  expect(answers.map(({ status }) => status)).toEqual(bad.map(() => 400));
  const get = await send(runtime, source, "GET");
  expect([get.status, get.headers["allow"]]).toEqual([405, "POST"]);
  expect(await emitted(runtime, source)).toEqual([]);
});
