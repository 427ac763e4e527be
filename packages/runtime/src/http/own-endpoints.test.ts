import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";

import { afterAll, beforeAll, expect, test } from "vitest";

import type { SourceView } from "../api/api.ts";
import type { Json } from "../../../model/src/model.ts";
import { openTrial, runText, type Trial } from "../runtime.cases.ts";

const publicUrl = "https://hooks.example/mount";
let trial: Trial;
beforeAll(async () => {
  trial = await openTrial({ publicUrl, network: { mode: "none" }, limits: { httpBodyBytes: 1_000, deliveryHops: 4 } });
});
afterAll(() => trial.runtime.close());

const plainProp = `http: "$.interface.http"`;
const customProp = `http: { type: "$.interface.http", customResponse: true }`;
const text = (body: string, http = plainProp): string =>
  runText(body, `props: { ${http}, db: "$.service.db", url: { type: "string", optional: true } },`);
/** What a request ended as. */
const asked = (url: string, init = "{}"): string =>
  `await fetch(${url}, ${init}).then(async (answer) => [answer.status, await answer.text()], (error) => String(error.cause ?? error))`;

const urlOf = ({ source }: SourceView): string => Object.values(source.endpoints)[0] ?? "";

/** Runs it once, and waits for what followed. */
async function emitted(view: SourceView, on: Trial = trial): Promise<Json[]> {
  const { error } = await on.runtime.invoke(view.source.id, { event: {} });
  expect(error).toBeNull();
  await on.runtime.idle();
  return on.payloads(view.source.id);
}

test("S39 a run can call its own endpoint without network: it answers at once and runs afterwards", async () => {
  const view = await trial.deploy(
    text(`if (event.method) return this.$emit(event);
      this.$emit(${asked(`this.http.endpoint + "/a/b?q=1"`, `{ method: "POST", body: '{"x":1}', headers: { "Content-Type": "application/json", authorization: "Bearer t" } }`)});`),
  );
  const [answer, event] = await emitted(view);
  expect(answer).toEqual([200, '{"ok":true}']);
  expect(event).toEqual({
    method: "POST",
    path: "/a/b",
    query: { q: "1" },
    headers: {
      host: "hooks.example",
      "content-type": "application/json",
      authorization: "Bearer t",
      accept: "*/*",
      "accept-encoding": expect.any(String) as unknown,
      "user-agent": "x-runtime",
      "content-length": "7",
    },
    bodyRaw: '{"x":1}',
    body: { x: 1 },
    url: `${urlOf(view)}/a/b?q=1`,
    client_ip: "127.0.0.1",
  });
});

test("S39 the endpoint of another source answers with its own response, headers, codings and binary bodies included", async () => {
  const bytes = JSON.stringify([...gzipSync("zipped")]);
  const target = await trial.deploy(
    text(
      `const headers = { "X-Tag": "a" };
      if (event.path === "/zip") return this.http.respond({ status: 200, headers: { "content-encoding": "gzip" }, body: Buffer.from(${bytes}) });
      this.http.respond({ status: 201, headers, body: { method: event.method, body: event.bodyRaw } });`,
      customProp,
    ),
  );
  const caller = await trial.deploy(
    text(`const answer = await fetch(this.url, { method: "PUT", body: "hi" });
      this.$emit([answer.status, answer.statusText, answer.headers.get("x-tag"), answer.headers.get("content-length"), await answer.json()]);
      this.$emit(${asked(`this.url + "/zip"`)});
      this.$emit(${asked(`this.url`, `{ method: "HEAD" }`)});`),
    { url: urlOf(target) },
  );
  expect(await emitted(caller)).toEqual([
    [201, "Created", "a", "28", { method: "PUT", body: "hi" }],
    [200, "zipped"],
    [201, ""],
  ]);
});

test("S39 the host form with the port of the public URL is the same endpoint", async () => {
  const target = await trial.deploy(text(`this.$emit([event.path, event.headers.host]);`));
  const key = urlOf(target).split("/").at(-1);
  const caller = await trial.deploy(
    text(`this.$emit([${asked(`"http://${key}.localhost/x"`)}, ${asked(`"http://${key}.localhost:7777/x"`)}]);`),
  );
  const off = `the network is off`;
  expect(await emitted(caller)).toEqual([[[200, '{"ok":true}'], expect.stringContaining(off)]]);
  expect(await trial.payloads(target.source.id)).toEqual([["/x", `${key}.localhost`]]);
});

test("S39 does not reach other paths of the server", async () => {
  const view = await trial.deploy(
    text(`const answers = {};
      for (const path of ["/v1/users/me", "/healthz", "/", "/in", "/in/", "/in/../v1/users/me", "/in/%2e%2e/v1/users/me", "/in//v1", "/in/x/../../v1/users/me"])
        answers[path] = ${asked(`"${publicUrl}" + path`)};
      answers.above = ${asked(`"https://hooks.example/in/x"`)};
      answers.unknown = ${asked(`"${publicUrl}/in/unknown"`)};
      answers.escaped = ${asked(`"${publicUrl}/in/%2e%2e%2fv1"`)};
      answers.scheme = ${asked(`"http://hooks.example/mount/in/x"`)};
      answers.port = ${asked(`"https://hooks.example:444/mount/in/x"`)};
      this.$emit(answers);`),
  );
  const [answers] = (await emitted(view)) as { [path: string]: Json }[];
  const { unknown, escaped, ...others } = answers ?? {};
  const notFound = [404, expect.stringContaining("No active endpoint is here.")];
  expect([unknown, escaped]).toEqual([notFound, notFound]);
  expect(Object.keys(others)).toHaveLength(12);
  for (const answer of Object.values(others)) expect(answer).toContain("the network is off");
});

test("S39 a run that would wait for itself fails at once, also through other sources, and leaves no trigger", async () => {
  const self = await trial.deploy(text(`this.$emit(${asked("this.http.endpoint")});`, customProp));
  const refused = expect.stringContaining(
    "by a run (customResponse: true) that cannot begin before this run has ended",
  );
  expect(await emitted(self)).toEqual([refused]);
  const other = `const answer = ${asked("this.url")}; this.$emit(answer); this.http.respond({ status: 200, body: String(answer) });`;
  const first = await trial.deploy(text(other, customProp));
  const second = await trial.deploy(text(other, customProp), { url: urlOf(first) });
  await trial.runtime.update(first.source.id, { props: { url: urlOf(second) } });
  expect((await trial.hit(first)).status).toBe(200);
  await trial.runtime.idle();
  expect(await trial.payloads(second.source.id)).toEqual([refused]);
  expect(await trial.payloads(first.source.id)).toEqual([[200, expect.stringContaining("Request to")]]);
});

test("S39 a source without customResponse that calls itself forever ends after the last hop", async () => {
  const view = await trial.deploy(
    text(
      `const n = (this.db.get("n") ?? 0) + 1; this.db.set("n", n); this.$emit([n, ${asked("this.http.endpoint")}]);`,
    ),
  );
  const runs = await emitted(view);
  expect(runs.slice(0, -1)).toEqual([1, 2, 3, 4].map((n) => [n, [200, '{"ok":true}']]));
  expect(runs.at(-1)).toEqual([5, expect.stringContaining("call 5 of endpoints and subscriptions one after another")]);
});

test("S39 hops of subscriptions count with those of endpoints", async () => {
  const called = await trial.deploy(text(`this.$emit("called");`));
  const view = await trial.deploy(text(`this.$emit(${asked("this.url")});`), { url: urlOf(called) });
  await trial.runtime.subscribe({ emitterId: called.source.id, listenerId: view.source.id });
  const answers = await emitted(view);
  expect(answers.slice(0, -1)).toEqual(answers.slice(0, -1).map(() => [200, '{"ok":true}']));
  expect(answers.at(-1)).toContain("one after another; the chain ends here");
  expect(answers).toHaveLength(3);
});

test("S39 a hook can call the endpoint of its source, which runs and responds during the hook", async () => {
  const view = await trial.deploy(
    `export default { name: "Hooked", version: "1", props: { ${customProp} },
      hooks: { async deploy() { console.log(JSON.stringify(${asked("this.http.endpoint", `{ method: "POST", body: "1" }`)})); } },
      run(event) { this.http.respond({ status: 202, body: "got " + event.bodyRaw }); } };`,
  );
  expect(await trial.log(view.source.id)).toEqual(['[202,"got 1"]']);
});

test("S39 bodies, heads and waiting requests have the limits of requests from outside", async () => {
  const view = await trial.deploy(
    text(`if (event.method) return;
      this.$emit((${asked("this.http.endpoint", `{ method: "POST", body: "x".repeat(1_001) }`)})[0]);
      this.$emit((${asked(`this.http.endpoint + "?" + "x".repeat(17_000)`)})[0]);
      this.$emit((${asked("this.http.endpoint", `{ headers: { "x-long": "x".repeat(17_000) } }`)})[0]);`),
  );
  expect(await emitted(view)).toEqual([413, 431, 431]);
  await using full = (await openTrial({ publicUrl, limits: { inboxPerSource: 3 } })).runtime;
  const flood = await full.deploy({
    code: text(`if (event.method) return;
      const answers = await Promise.all(Array.from({ length: 5 }, () => fetch(this.http.endpoint)));
      this.$emit(answers.map(({ status }) => status).sort());`),
  });
  await full.invoke(flood.source.id, { event: {} });
  const { items } = await full.storedEvents(flood.source.id, "emits", { limit: 1 });
  expect(JSON.parse(items[0]?.payload ?? "")).toEqual([200, 200, 429, 429, 429]);
});

test.each([
  ["gzip", (body: string) => gzipSync(body)],
  ["x-gzip", (body: string) => gzipSync(body)],
  ["deflate", (body: string) => deflateSync(body)],
  ["br", (body: string) => brotliCompressSync(body)],
  ["zstd", (body: string) => zstdCompressSync(body)],
  ["gzip, br", (body: string) => brotliCompressSync(gzipSync(body))],
  ["identity", (body: string) => Buffer.from(body)],
])("S46 a body in %s that a run sends to its own endpoint is decoded", async (coding, encode) => {
  const bytes = JSON.stringify([...encode('{"x":"é"}')]);
  const view = await trial.deploy(
    text(`if (event.method) return this.$emit([event.body, event.bodyRaw, event.headers["content-encoding"]]);
      const headers = { "content-type": "application/json", "content-encoding": "${coding}" };
      this.$emit(${asked("this.http.endpoint", `{ method: "POST", headers, body: new Uint8Array(${bytes}) }`)});`),
  );
  expect(await emitted(view)).toEqual([
    [200, '{"ok":true}'],
    [{ x: "é" }, '{"x":"é"}', coding],
  ]);
});

test.each([
  [415, "compress", "x"],
  [415, "gzip, gzip, gzip", "x"],
  [400, "gzip", "no gzip"],
  [413, "gzip", gzipSync("x".repeat(2_000))],
])("S46 %i for a body that a run sends to its own endpoint as %s", async (status, coding, body) => {
  const bytes = JSON.stringify([...Buffer.from(body)]);
  const view = await trial.deploy(
    text(`if (event.method) return this.$emit("taken");
      const init = { method: "POST", headers: { "content-encoding": "${coding}" }, body: new Uint8Array(${bytes}) };
      this.$emit((await fetch(this.http.endpoint, init)).status);`),
  );
  expect(await emitted(view)).toEqual([status]);
});

test("S39 redirects may lead in and out, with the rules of each hop", async () => {
  const server = createServer((_request, response) => response.writeHead(302, { location: inside }).end());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const outside = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  let inside = "";
  try {
    const open = await openTrial({ publicUrl, network: { deny: ["*.example"], mode: "allow-private" } });
    await using runtime = open.runtime;
    const target = await open.deploy(
      text(`this.http.respond({ status: 302, headers: { location: event.query.to } })`, customProp),
    );
    const landed = await open.deploy(text(`this.http.respond({ status: 200, body: event.path })`, customProp));
    const to = (url: string): string => `${urlOf(target)}?to=${encodeURIComponent(url)}`;
    inside = `${urlOf(landed)}/landed`;
    const caller = await open.deploy(
      text(`for (const url of ${JSON.stringify([outside, to(outside), to("http://other.example/"), to(`${publicUrl}/v1/users/me`)])})
        this.$emit(${asked("url")});`),
    );
    expect(await emitted(caller, open)).toEqual([
      [200, "/landed"],
      [200, "/landed"],
      expect.stringContaining("it is on the deny list"),
      expect.stringContaining("it is on the deny list"),
    ]);
    await runtime.idle();
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test("S39 does not use an upstream or a fetch function of the embedder", async () => {
  const seen: string[] = [];
  const open = await openTrial({
    publicUrl,
    network: {
      mode: "allow-private",
      exchange: ({ url }) => {
        seen.push(url);
        return Promise.resolve({ status: 200, headers: [], body: new Uint8Array(0) });
      },
    },
  });
  await using runtime = open.runtime;
  const view = await open.deploy(
    text(
      `if (event.method) return; this.$emit([${asked("this.http.endpoint")}, ${asked(`"https://else.example/"`)}]);`,
    ),
  );
  expect(await emitted(view, open)).toEqual([
    [
      [200, '{"ok":true}'],
      [200, ""],
    ],
  ]);
  expect(seen).toEqual(["https://else.example/"]);
  await runtime.idle();
});
