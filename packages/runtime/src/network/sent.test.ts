import { gzipSync } from "node:zlib";

import { expect, it } from "vitest";

import type { NetworkOptions } from "../api/options.ts";
import { createEgress, type Egress } from "./egress.ts";
import { bytes, get, never, smallLimits, text } from "./loopback.cases.ts";

const through = (fetch: (request: Request) => Promise<Response>, options: NetworkOptions = {}): Egress =>
  createEgress({ ...options, fetch }, smallLimits);

const problemOf = (reply: Promise<unknown>): Promise<unknown> =>
  reply.then(
    () => undefined,
    (error: { code: unknown; details: { problem?: unknown } }) => [error.code, error.details.problem],
  );

it("the embedder's fetch receives the request, and its response is returned", async () => {
  const seen: string[] = [];
  const egress = through(async (request) => {
    const { method, url, headers, redirect } = request;
    seen.push(`${method} ${url} ${headers.get("x-a")} ${headers.get("host")} ${redirect} ${await request.text()}`);
    return new Response("made", {
      status: 201,
      statusText: "Made",
      headers: [
        ["set-cookie", "a=1"],
        ["set-cookie", "b=2"],
      ],
    });
  });
  const headers: [string, string][] = [
    ["x-a", "1"],
    ["host", "evil.test"],
  ];
  const reply = await egress.fetch(
    get("https://a.test/p?q=1#part", { method: "post", headers, body: bytes("data") }),
    never,
  );
  expect(seen).toEqual(["POST https://a.test/p?q=1 1 null manual data"]);
  expect([reply.url, reply.status, reply.statusText, text(reply)]).toEqual([
    "https://a.test/p?q=1",
    201,
    "Made",
    "made",
  ]);
  expect(reply.headers.filter(([name]) => name === "set-cookie").map(([, value]) => value)).toEqual(["a=1", "b=2"]);
});

it("a given fetch receives each hop of a redirect, after the check", async () => {
  const seen: string[] = [];
  const egress = through(
    async ({ url }) => {
      seen.push(url);
      return url.endsWith("/1") ? Response.redirect("https://b.test/2") : Response.redirect("http://127.0.0.1/3", 307);
    },
    { deny: ["c.test"] },
  );
  expect(await problemOf(egress.fetch(get("https://a.test/1"), never))).toEqual(["address_forbidden", undefined]);
  expect(await problemOf(egress.fetch(get("https://c.test/1"), never))).toEqual(["address_forbidden", undefined]);
  expect(seen).toEqual(["https://a.test/1", "https://b.test/2"]);
});

it("its response is not decoded again, and has the same limits", async () => {
  const encoded = { headers: { "content-encoding": "gzip", "content-length": "5" } };
  const reply = await through(async () => new Response("plain", encoded)).fetch(get("https://a.test/"), never);
  expect([text(reply), reply.headers.filter(([name]) => name.startsWith("content-"))]).toEqual([
    "plain",
    [["content-type", "text/plain;charset=UTF-8"]],
  ]);
  const large = through(async () => new Response(new Uint8Array(smallLimits.fetchBodyBytes + 1)));
  expect(await problemOf(large.fetch(get("https://a.test/"), never))).toEqual([
    "network_failed",
    `the body is larger than ${smallLimits.fetchBodyBytes} bytes`,
  ]);
  const raw = gzipSync("kept as it is");
  const bytesReply = await through(async () => new Response(raw)).fetch(get("https://a.test/"), never);
  expect(Buffer.from(bytesReply.body).equals(raw)).toBe(true);
});

it("its rejection fails the request, and one that never answers times out", async () => {
  const failing = through(() => Promise.reject(new Error("no route")));
  expect(await problemOf(failing.fetch(get("https://a.test/"), never))).toEqual(["network_failed", "no route"]);
  const gone = new AbortController();
  const waiting = through(() => new Promise(() => undefined)).fetch(get("https://a.test/"), gone.signal);
  gone.abort();
  expect(await problemOf(waiting)).toEqual(["network_failed", "it was cancelled"]);
});

it("with an upstream it receives every request for that origin", async () => {
  const seen: (string | null)[] = [];
  const fetch = async ({ url, headers }: Request): Promise<Response> => {
    seen.push(url, headers.get("x-original-url"));
    return new Response();
  };
  await through(fetch, { upstream: "http://up.test:81" }).fetch(get("https://a.test/p?q=1"), never);
  expect(seen).toEqual(["http://up.test:81/p?q=1", "https://a.test/p?q=1"]);
});

it("`exchange` has priority over `fetch` and receives the same data", async () => {
  const seen: unknown[] = [];
  const egress = createEgress(
    {
      fetch: () => Promise.reject(new Error("not asked")),
      exchange: ({ method, url, headers, body, signal }) => {
        seen.push([method, url, headers.find(([name]) => name === "x-a"), Buffer.from(body ?? []).toString()]);
        expect(signal.aborted).toBe(false);
        const location: [string, string][] = url.endsWith("/1") ? [["Location", "/2"]] : [["Content-Encoding", "gzip"]];
        const status = url.endsWith("/1") ? 307 : 201;
        return Promise.resolve({ status, headers: location, body: bytes("made") });
      },
    },
    smallLimits,
  );
  const headers: [string, string][] = [["x-a", "1"]];
  const reply = await egress.fetch(
    get("https://a.test/1#part", { method: "POST", headers, body: bytes("data") }),
    never,
  );
  expect(reply).toMatchObject({ url: "https://a.test/2", status: 201, statusText: "", headers: [], redirected: true });
  expect(text(reply)).toBe("made");
  expect(seen).toEqual([
    ["POST", "https://a.test/1", ["x-a", "1"], "data"],
    ["POST", "https://a.test/2", ["x-a", "1"], "data"],
  ]);
});

it("the response of `exchange` has the same limits, and one that never answers times out", async () => {
  const body = new Uint8Array(smallLimits.fetchBodyBytes + 1);
  const large = createEgress({ exchange: () => Promise.resolve({ status: 200, headers: [], body }) }, smallLimits);
  expect(await problemOf(large.fetch(get("https://a.test/"), never))).toEqual([
    "network_failed",
    `the body is larger than ${smallLimits.fetchBodyBytes} bytes`,
  ]);
  const gone = new AbortController();
  const silent = createEgress({ exchange: () => new Promise(() => undefined) }, smallLimits);
  const waiting = silent.fetch(get("https://a.test/"), gone.signal);
  gone.abort();
  expect(await problemOf(waiting)).toEqual(["network_failed", "it was cancelled"]);
});
