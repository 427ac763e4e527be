import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";

import { createRuntime, type Runtime } from "@x/runtime";
import { afterAll, beforeAll, expect, test } from "vitest";

import { testEngine } from "../../runtime/src/engine.cases.ts";
import { createApp } from "./app.ts";
import { listen, type Listening } from "../../http/src/node.ts";

const large = Buffer.alloc(24 * 1024 * 1024, "x");

let runtime: Runtime;
let endpoint: string;
let server: Listening;
let headers: { authorization: string; "content-type": string };
beforeAll(async () => {
  runtime = await createRuntime({ engine: await testEngine() });
  await runtime.start();
  const code = `export default { name: "Inbox", version: "1", props: { http: "$.interface.http" }, run() {} }`;
  const { source } = await runtime.deploy({ code });
  endpoint = new URL(source.endpoints["http"] ?? "").pathname;
  headers = { authorization: `Bearer ${(await runtime.user()).user.apiKey}`, "content-type": "application/json" };
  server = await listen(createApp(runtime));
});
afterAll(async () => {
  await server.close();
  await runtime.close();
});

interface Told {
  readonly status: number | undefined;
  readonly text: string;
}

/** Reads nothing before all of it is written. */
async function writeFirst(head: string, chunks: readonly Buffer[]): Promise<Told> {
  const socket = connect(server.port, "127.0.0.1").pause();
  const failed = new Promise<never>((_, reject) => socket.once("error", reject));
  socket.write(`${head}\r\nhost: a\r\n\r\n`);
  const written = Promise.all(
    chunks.map((chunk) => new Promise<void>((resolve) => socket.write(chunk, () => resolve()))),
  );
  await Promise.race([written, failed]);
  const parts: Buffer[] = [];
  socket.on("data", (part) => parts.push(part)).resume();
  await Promise.race([once(socket, "end"), failed]);
  socket.destroy();
  const text = Buffer.concat(parts).toString();
  return { status: Number(text.slice(9, 12)), text };
}

/** Goes on to write while it reads. */
async function writeByNode(path: string, isChunked: boolean): Promise<Told> {
  const sent = request(server.url + path, {
    method: "POST",
    headers: { ...headers, ...(!isChunked && { "content-length": large.byteLength }) },
  });
  const answered = once(sent, "response") as Promise<[IncomingMessage]>;
  sent.end(large);
  const [response] = await answered;
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return { status: response.statusCode, text: Buffer.concat(parts).toString() };
}

async function writeByFetch(path: string): Promise<Told> {
  const response = await fetch(server.url + path, { method: "POST", headers, body: large });
  return { status: response.status, text: await response.text() };
}

const places = [
  ["an endpoint", () => endpoint],
  ["the interface", () => "/v1/components"],
] as const;

test.each(places)(
  "3.1 a body that is too large for %s is a 413 that its client can read, whatever it writes",
  async (_what, path) => {
    const told = [await writeByFetch(path()), await writeByNode(path(), false), await writeByNode(path(), true)];
    const head = `POST ${path()} HTTP/1.1\r\nauthorization: ${headers.authorization}\r\ncontent-type: application/json`;
    told.push(await writeFirst(`${head}\r\ncontent-length: ${large.byteLength}`, [large]));
    const chunk = Buffer.concat([Buffer.from("100000\r\n"), large.subarray(0, 1024 * 1024), Buffer.from("\r\n")]);
    const chunks = [...Array.from({ length: 24 }, () => chunk), Buffer.from("0\r\n\r\n")];
    told.push(await writeFirst(`${head}\r\ntransfer-encoding: chunked`, chunks));
    expect(told.map(({ status }) => status)).toEqual([413, 413, 413, 413, 413]);
    for (const { text } of told) expect(text).toContain('"code":"payload_too_large"');
  },
);

test("3.1 a client can read a refusal that comes before its body was read", async () => {
  const told = [await writeByFetch("/v1/nowhere"), await writeByNode("/v1/nowhere", true)];
  const head = `POST /v1/components HTTP/1.1\r\ncontent-length: ${large.byteLength}\r\nconnection: close`;
  told.push(await writeFirst(head, [large]));
  expect(told.map(({ status }) => status)).toEqual([404, 404, 401]);
});
