import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, createServer as createRawServer, type Socket } from "node:net";

import { afterAll, beforeAll, expect, test } from "vitest";

import { get } from "../../packages/runtime/src/network/loopback.cases.ts";
import { createEgress, type Egress } from "../../packages/runtime/src/network/egress.ts";
import { XError } from "../../packages/model/src/errors.ts";
import { component, type Service, type SourceBody, startService } from "../conformance/fixture.ts";
import { addresses } from "./network/addresses.ts";
import { framings } from "./network/framing.ts";
import { nameServers } from "./network/lookups.ts";
import { redirects } from "./network/redirects.ts";
import { upstreams } from "./network/upstreams.ts";

const limits = { fetchTimeoutMs: 60_000, fetchBodyBytes: 4 * 1024 * 1024, fetchRedirects: 20 };
const never = new AbortController().signal;
const servers: Server[] = [];
const sockets = new Set<Socket>();

async function serve(listener: RequestListener, host = "127.0.0.1"): Promise<number> {
  const server = createServer(listener);
  servers.push(server);
  server.listen(0, host);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function serveRaw(take: (socket: Socket) => void): Promise<number> {
  const server = createRawServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => take(socket));
  });
  servers.push(server as unknown as Server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

let asked = 0;
let canaryPort: number;
let closed: Service;
let open: Service;
let reaching: SourceBody;
let framing: SourceBody;
let egress: Egress;
beforeAll(async () => {
  canaryPort = await serve((_request, response) => {
    asked += 1;
    response.end("canary");
  }, "0.0.0.0");
  closed = await startService();
  open = await startService({ network: { mode: "allow-private" } });
  egress = createEgress({ mode: "allow-private", deny: ["127.0.0.2"] }, limits);
  const tell = `try { const reply = await fetch(event.url); this.$emit(await reply.text()) } catch (error) { this.$emit(error.cause?.code ?? error.code ?? error.name) }`;
  reaching = await closed.deploy(component({ run: tell }));
  framing = await open.deploy(
    component({
      run: `const init = Function("return " + event.init)(); try { await (await fetch(event.url, init)).text() } catch {}`,
    }),
  );
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
  await egress.close();
  await Promise.all([closed, open].map((service) => service[Symbol.asyncDispose]()));
});

test.each(addresses)("$id: $promise", async ({ url }) => {
  const target = url.replaceAll("PORT", String(canaryPort));
  await closed.run(reaching.id, { url: target });
  const [code] = (await closed.emitted(reaching.id)).slice(-1);
  expect(["address_forbidden", "network_failed", "TypeError", "ERR_INVALID_URL"]).toContain(code);
  // The same address as the URL of a component.
  const reply = await closed.call("POST", "/sources", { component_url: target });
  expect(reply.status).toBeGreaterThanOrEqual(400);
  expect(reply.status).toBeLessThan(500);
  expect(asked).toBe(0);
});

test.each(nameServers)("$id: $promise", async ({ answers }) => {
  let questions = 0;
  const lookup = (): Promise<{ address: string; family: number }[]> => {
    const found = answers[Math.min(questions++, answers.length - 1)] ?? [];
    return Promise.resolve(found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })));
  };
  const own = createEgress({}, limits, { lookup });
  const failure: unknown = await own.fetch(get(`http://rebound.test:${canaryPort}/`), never).catch((error) => error);
  expect(XError.is(failure) && failure.code).toMatch(/address_forbidden|network_failed/);
  expect([asked, questions]).toEqual([0, 1]);
  await own.close();
});

test.each(redirects)("$id: $promise", async ({ status, location }) => {
  let hops = 0;
  const port = await serve((request, response) => {
    hops += 1;
    expect(request.headers.authorization === undefined || hops === 1 || location.startsWith("SELF")).toBe(true);
    const to = location.replaceAll("PORT", String(canaryPort)).replace("SELF", `http://127.0.0.1:${port}/`);
    response.setHeader("location", Buffer.from(to, "utf8").toString("latin1"));
    response.writeHead(status).end();
  });
  const failure: unknown = await egress
    .fetch(get(`http://127.0.0.1:${port}/`, { headers: [["authorization", "Bearer x"]] }), never)
    .catch((error) => error);
  expect(XError.is(failure) && failure.code).toMatch(/address_forbidden|network_failed/);
  expect(hops).toBeLessThanOrEqual(21);
  expect(asked).toBe(0);
});

test.each(upstreams)("$id: $promise", async ({ id, answer, raw }) => {
  const port = raw ? await serveRaw(raw) : await serve((request, response) => answer?.(response, request));
  // A short timeout for servers that do not answer.
  const waits = /silent|slow|continues|endless-header/.test(id);
  const own = createEgress({ mode: "allow-private" }, { ...limits, ...(waits && { fetchTimeoutMs: 300 }) });
  const seen = await own.fetch(get(`http://127.0.0.1:${port}/`), never).then(
    (reply) => reply.body.byteLength,
    (error: unknown) => (XError.is(error) ? error.code : `unexpected: ${String(error)}`),
  );
  expect(typeof seen === "number" ? seen <= limits.fetchBodyBytes : seen === "network_failed", String(seen)).toBe(true);
  await own.close();
});

test.each(framings)("$id: $promise", async ({ init, path = "/" }) => {
  const received: string[] = [];
  const port = await serveRaw(
    (socket) => void socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"),
  );
  servers.at(-1)?.on("connection", (socket: Socket) => socket.on("data", (data) => received.push(String(data))));
  await open.run(framing.id, { init, url: `http://127.0.0.1:${port}${path}` });
  const text = received.join("");
  const requests = text.match(/^[A-Z]+ \S+ HTTP\/1\.1$/gm) ?? [];
  expect(requests.length).toBeLessThanOrEqual(1);
  const [head = "", body = ""] = text.split("\r\n\r\n");
  expect(head.split("\r\n").filter((line) => /^(?:forged|.*:\s*forged)/i.test(line))).toEqual([]);
  expect(head.match(/^(?:content-length|transfer-encoding|host):/gim)?.length ?? 0).toBeLessThanOrEqual(2);
  expect(["", "x"]).toContain(body);
});
