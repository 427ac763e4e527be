import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";

import { expect, test } from "vitest";

import { jsonAnswer, toResponse } from "./answer.ts";
import { watchUncaught } from "../../model/src/process/uncaught.cases.ts";
import type { Handler } from "./handler.ts";
import type { ClientInfo } from "./handler.ts";
import { toNodeListener } from "./node-listener.ts";

/** An app that says what reached it. */
const echo: Handler = {
  async answer(request, client) {
    return jsonAnswer(200, { url: new URL(request.url).pathname, client, text: await request.text() });
  },
  async fetch(request, client) {
    return toResponse(request.method, await this.answer(request, client));
  },
  drain() {},
};

interface Reached {
  readonly url: string;
  readonly client: ClientInfo;
  readonly text: string;
}

/** Posts a body to a server in which `around` runs before the listener. */
async function post(
  around: (incoming: IncomingMessage) => Promise<void>,
  sent: string = '{ "a" :1}',
): Promise<{ status: number; body: unknown }> {
  const listener = toNodeListener(echo);
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    await around(incoming);
    listener(incoming, outgoing);
  };
  const server = createServer((incoming, outgoing) => void handle(incoming, outgoing)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const response = await fetch(`http://127.0.0.1:${port}/events/in/k`, { method: "POST", body: sent });
  const answered = { status: response.status, body: await response.json() };
  server.close();
  return answered;
}

test("the app gets the unchanged bytes, address and headers of the client", async () => {
  const { status, body } = await post(async () => {});
  const { text, client, url } = body as Reached;
  expect([status, text, url, client.clientIp]).toEqual([200, '{ "a" :1}', "/events/in/k", "127.0.0.1"]);
  expect(client.rawHeaders).toContain("content-type");
  expect(client).toMatchObject({ target: "/events/in/k", httpVersion: "1.1" });
});

test("a router that removes a prefix keeps the URL that the client sent", async () => {
  const { body } = await post(async (incoming) => {
    Object.assign(incoming, { originalUrl: incoming.url, url: "/in/k" });
  });
  expect(body).toMatchObject({ url: "/in/k", client: { originalUrl: "/events/in/k", target: "/events/in/k" } });
});

test("a body that a parser has read is taken from rawBody, else refused with advice", async () => {
  const kept = await post(async (incoming) => {
    Object.assign(incoming, { rawBody: await buffer(incoming), body: { a: 1 } });
  });
  expect(kept).toMatchObject({ status: 200, body: { text: '{ "a" :1}' } });
  const empty = await post(async (incoming) => void (await buffer(incoming)), "");
  expect(empty).toMatchObject({ status: 200, body: { text: "" } });
  const gone = await post(async (incoming) => {
    Object.assign(incoming, { body: JSON.parse(String(await buffer(incoming))) as object });
  });
  expect(gone).toMatchObject({ status: 500, body: { code: "body_already_read" } });
  expect((gone.body as { error: string }).error).toContain("mount this before body parsers");
});

test("a response that takes no header, from a server of somebody else, ends its connection alone", async () => {
  using uncaught = watchUncaught();
  const listener = toNodeListener(echo);
  const server = createServer((incoming, outgoing) => {
    outgoing.setHeader = () => {
      throw new Error("planned");
    };
    listener(incoming, outgoing);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow("fetch failed");
  expect(await uncaught.found()).toEqual([]);
  server.close();
});
