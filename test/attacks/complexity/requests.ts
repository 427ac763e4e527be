import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Worker } from "node:worker_threads";

import { storedRequest } from "../../../packages/runtime/src/http/request-event.ts";
import { showResponse } from "../../../packages/runtime/src/invocation/shown-response.ts";
import { readBody } from "../../../packages/http/src/body.ts";
import { filterEvents, parsePointerTest } from "../../../packages/server/src/event-filter.ts";
import { failureAnswer } from "../../../packages/http/src/failure.ts";
import { type EventPage, XError } from "../../../packages/runtime/src/index.ts";
import { type App, toNodeListener } from "../../../packages/server/src/index.ts";
import { inRequestNames } from "../../../packages/server/src/request-names.ts";
import { parseJson } from "../../../packages/http/src/json.ts";
import type { ComplexInput } from "./complex-input.ts";

/** A client in a thread of its own that sends a text to a port when a message asks for it. */
const clientCode = `
  const { parentPort, workerData } = require("node:worker_threads");
  const socket = require("node:net").connect(workerData.port, "127.0.0.1", () => parentPort.postMessage("connected"));
  parentPort.once("message", () => socket.end(workerData.text));
  socket.on("error", () => undefined).resume();
`;

/** Reads the body of every request, and refuses as the interface does. */
const reader: App = {
  answer: async (request) => {
    try {
      const bytes = await readBody(request, { limit: 1024 * 1024 });
      return { status: 200, headers: [], body: String(bytes.length) };
    } catch (error) {
      return failureAnswer(error, () => undefined);
    }
  },
  fetch: () => Promise.reject(new Error("The listener asks for answers")),
  drain: () => undefined,
};

/** Sends a request over HTTP on loopback, and waits until its connection ends. */
async function sending(text: string): Promise<() => Promise<void>> {
  const server = createServer(toNodeListener(reader)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const connected = once(server, "connection");
  const { port } = server.address() as AddressInfo;
  const client = new Worker(clientCode, { eval: true, workerData: { port, text } });
  await once(client, "message");
  await connected;
  return async () => {
    client.postMessage("send");
    await once(client, "exit");
    server.close();
    await once(server, "close");
  };
}

const chunkedHead = "POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n";
const inChunks = (bytes: number, chunk: number): string =>
  `${chunkedHead}${`${chunk.toString(16)}\r\n${"a".repeat(chunk)}\r\n`.repeat(bytes / chunk)}0\r\n\r\n`;

/** Asks for the events with a value, among a hundred of these that have it not. */
function searching(payload: string): () => Promise<unknown> {
  const events = Array.from({ length: 100 }, (_, index) => ({
    emitterId: "dc_1",
    stream: "emits" as const,
    id: `1-${99 - index}` as const,
    indexedAt: 1,
    emitId: "",
    name: "",
    payload,
  }));
  const read = ({ limit, after }: EventPage) => {
    const from = events.findIndex(({ id }) => id === after) + 1;
    return Promise.resolve({ totalCount: events.length, items: events.slice(from, from + limit) });
  };
  const search = filterEvents(read, { matches: parsePointerTest("/status=open") });
  return () => search({ limit: 10 }).catch((error: unknown) => error);
}

/** Requests of a client, as the server reads them. */
export const requestInputs: readonly ComplexInput[] = [
  {
    id: "answer-with-many-problems",
    class: "algorithmic complexity",
    promise: "main-thread-free",
    size: 75_000,
    prepare(size) {
      const errors = Array.from({ length: size }, (_, n) => ({ path: `/p${n}`, message: "is no prop" }));
      const error = new XError("invalid_props", ["Feed", "they are wrong"], { details: { errors } });
      const names = ["component_code", "configured_props", "accounts", "name", "include", "exclude"];
      return () => failureAnswer(inRequestNames(error, [["body", names]]), () => undefined);
    },
  },
  {
    id: "body-in-chunks-of-one-byte",
    class: "algorithmic complexity",
    promise: "main-thread-free",
    size: 1024 * 1024,
    prepare: (size) => sending(inChunks(size, 1)),
  },
  {
    id: "body-in-smallest-chunks",
    class: "algorithmic complexity",
    promise: "main-thread-free",
    size: 512 * 1024,
    prepare: (size) => sending(inChunks(size, 16)),
  },
  {
    id: "body-of-long-numbers",
    class: "algorithmic complexity",
    promise: "main-thread-free",
    size: 1024 * 1024,
    prepare(size) {
      const bytes = Buffer.from(`["${`${"1".repeat(299)} `.repeat(size / 300)}"]`);
      return () => parseJson(bytes);
    },
  },
  {
    id: "search-in-large-events",
    class: "algorithmic complexity",
    promise: "main-thread-free",
    size: 6 * 1024 * 1024,
    prepare: (size) =>
      Promise.resolve(
        searching(JSON.stringify(Array.from({ length: Math.ceil(size / 64) }, () => ({ a: "x".repeat(55) })))),
      ),
  },
  {
    id: "search-in-many-lists",
    class: "algorithmic complexity",
    promise: "main-thread-free",
    size: 6 * 1024 * 1024,
    prepare: (size) => Promise.resolve(searching(`[${"[],".repeat(size / 3)}[]]`)),
  },
  {
    id: "request-with-many-parameters",
    class: "algorithmic complexity",
    promise: "main-thread-free",
    size: 64 * 1024,
    prepare(size) {
      const search = "a&".repeat(size / 2);
      const body = new Uint8Array(0);
      const given = { method: "GET", path: "/", url: `http://x/?${search}`, headers: [], clientIp: "", search, body };
      return () => storedRequest(given);
    },
  },
  {
    id: "answer-that-is-no-text",
    class: "algorithmic complexity",
    promise: "main-thread-free",
    size: 32 * 1024 * 1024,
    prepare(size) {
      const body = Buffer.alloc(size, 0xff);
      return () => showResponse({ status: 200, headers: [], body });
    },
  },
  {
    id: "answer-with-a-repeated-header",
    class: "algorithmic complexity",
    promise: "main-thread-free",
    size: 40_000,
    prepare(size) {
      const headers = Array.from({ length: size }, (): [string, string] => ["x-a", "1"]);
      return () => showResponse({ status: 200, headers, body: Buffer.alloc(0) });
    },
  },
];
