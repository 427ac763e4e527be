import { once } from "node:events";
import { connect, type Socket } from "node:net";

import { expect, test } from "vitest";

import { jsonAnswer, toResponse } from "./answer.ts";
import type { Handler } from "./handler.ts";
import { type ClientLimits, listen, type Listening } from "./node.ts";

/** Answers with the number of bytes of the body; remembers how many answers were made. */
function countingApp(): Handler & { answers: number } {
  return {
    answers: 0,
    async answer(request) {
      const { byteLength } = await request.arrayBuffer();
      this.answers += 1;
      return jsonAnswer(200, { byteLength });
    },
    fetch: async (request) => toResponse(request.method, jsonAnswer(200, {})),
    drain: () => undefined,
  };
}

const limits: Partial<ClientLimits> = { headersMs: 60, requestMs: 120, keepAliveMs: 30, checkMs: 10 };

/** Everything that the server says until it hangs up. */
async function listenTo(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk)).on("error", () => undefined);
  await once(socket, "close");
  return Buffer.concat(chunks).toString("utf8");
}

/** Sends one byte after the other, each as soon as the server had the time to look again. */
async function drip(server: Listening, start: string, byte: string): Promise<string> {
  const socket = connect(server.port, "127.0.0.1");
  const said = listenTo(socket);
  await once(socket, "connect");
  socket.write(start);
  const dripping = setInterval(() => socket.writable && socket.write(byte), 5);
  const text = await said;
  clearInterval(dripping);
  return text;
}

const statusOf = (text: string): string => text.slice(0, 12);

test("a header that arrives byte by byte is refused with 408", async () => {
  const app = countingApp();
  await using server = await listen(app, { limits });
  const text = await drip(server, "GET / HTTP/1.1\r\nhost: a\r\nx-slow: ", "a");
  expect(statusOf(text)).toBe("HTTP/1.1 408");
  expect(text).toContain('"code":"malformed_request"');
  expect(app.answers).toBe(0);
});

test("a silent connection is closed", async () => {
  await using server = await listen(countingApp(), { limits });
  expect(statusOf(await listenTo(connect(server.port, "127.0.0.1")))).toMatch(/^(HTTP\/1.1 408)?$/);
});

test("a body that arrives byte by byte is refused, and the service continues", async () => {
  const app = countingApp();
  // The client that behaves has time enough, also on a busy machine.
  await using server = await listen(app, { limits: { ...limits, headersMs: 600, requestMs: 600 } });
  const text = await drip(server, "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 100000\r\n\r\n", "b");
  expect(statusOf(text)).toMatch(/^(HTTP\/1.1 (408|500))?$/);
  expect(app.answers).toBe(0);
  const response = await fetch(server.url, { method: "POST", body: "four" });
  expect([response.status, await response.json()]).toEqual([200, { byteLength: 4 }]);
});

test("endless chunks are refused", async () => {
  await using server = await listen(countingApp(), { limits });
  const text = await drip(server, "POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n", "1\r\nc\r\n");
  expect(statusOf(text)).toMatch(/^(HTTP\/1.1 (408|500))?$/);
});

test("a header above the limit is refused with 431, one below it is accepted", async () => {
  await using server = await listen(countingApp(), { limits: { headerBytes: 2_048 } });
  const ask = async (size: number): Promise<string> => {
    const socket = connect(server.port, "127.0.0.1");
    socket.write(`GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\nx: ${"x".repeat(size)}\r\n\r\n`);
    return statusOf(await listenTo(socket));
  };
  expect([await ask(1_500), await ask(3_000)]).toEqual(["HTTP/1.1 200", "HTTP/1.1 431"]);
});

test("a connection that stays silent after its answer is closed", async () => {
  await using server = await listen(countingApp(), { limits });
  const socket = connect(server.port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
  expect(await listenTo(socket)).toMatch(/^HTTP\/1.1 200 .*\{"byteLength":0\}$/s);
});
