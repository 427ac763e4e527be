import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";

import { afterEach, describe, expect, test } from "vitest";

import { get, loopback, never, text } from "./loopback.cases.ts";
import { createPoster } from "./poster.ts";

const { egress } = loopback();
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

const final = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
const hundred = "HTTP/1.1 100 Continue\r\n\r\n";

/** What a server writes as the answer to a request, in these chunks. */
const answers: Readonly<Record<string, readonly string[]>> = {
  "a 100": [hundred + final],
  "a 100 apart": [hundred, final],
  "a 100 with headers": [`HTTP/1.1 100 Continue\r\nx-a: 1\r\nx-b: 2\r\n\r\n${final}`],
  "a 100 cut in the middle": [hundred.slice(0, 11), hundred.slice(11, 20), hundred.slice(20) + final],
  "two 100s": [hundred + hundred + final],
  "a 102": [`HTTP/1.1 102 Processing\r\n\r\n${final}`],
  "a 103 with a link": [`HTTP/1.1 103 Early Hints\r\nlink: </a.css>; rel=preload\r\n\r\n`, final],
  "all of them": [`${hundred}HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${final}`],
};

/** A server that answers each request with these chunks; counts requests and connections. */
async function serve(chunks: readonly string[]) {
  const seen = { requests: 0, connections: 0 };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    seen.connections += 1;
    sockets.add(socket);
    socket.setNoDelay(true).on("error", () => undefined);
    socket.on("data", (data) => {
      if (!/^(?:GET|POST) /.test(data.toString("latin1"))) return;
      seen.requests += 1;
      const [first = "", ...others] = chunks;
      let written = Promise.resolve(socket.write(first));
      for (const chunk of others)
        written = written.then(() => new Promise((resolve) => setImmediate(() => resolve(socket.write(chunk)))));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, seen };
}

describe.each(Object.entries(answers))("%s before the answer is read over", (_name, chunks) => {
  test("by requests of components, over one connection", async () => {
    const { url, seen } = await serve(chunks);
    const client = egress();
    for (let count = 1; count <= 3; count++) {
      const reply = await client.fetch(get(url), never);
      expect([reply.status, reply.headers, text(reply)]).toEqual([200, [["content-length", "2"]], "ok"]);
      expect(seen).toEqual({ requests: count, connections: 1 });
    }
  });

  test("by deliveries, over one connection", async () => {
    const { url, seen } = await serve(chunks);
    const poster = createPoster({}, { deliveryTimeoutMs: 60_000, deliveryResponseBytes: 1_024 });
    cleanups.push(() => poster.close());
    for (let count = 1; count <= 3; count++) {
      const reply = await poster.post({ url, headers: [], body: "{}" }, never);
      expect([reply.status, Buffer.from(reply.body.head).toString()]).toEqual([200, "ok"]);
      expect(seen).toEqual({ requests: count, connections: 1 });
    }
  });
});

test.each([
  ["changes the protocol", "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n"],
  ["changes it unnamed", "HTTP/1.1 101 Switching Protocols\r\n\r\n"],
])("a server that %s does not hold a request", async (_about, answer) => {
  const { url } = await serve([answer]);
  await expect(
    egress({ mode: "allow-private" }, { fetchTimeoutMs: 2_000 }).fetch(get(url), never),
  ).rejects.toMatchObject({
    code: "network_failed",
  });
});

test("an answer without an end is delivered at its headers, and its connection is let go", async () => {
  const { url } = await serve(["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n"]);
  const poster = createPoster({}, { deliveryTimeoutMs: 600_000, deliveryResponseBytes: 1_024 });
  cleanups.push(() => poster.close());
  const reply = await poster.post({ url, headers: [], body: "{}" }, never);
  expect([reply.status, Buffer.from(reply.body.head).toString()]).toEqual([200, "abc"]);
});
