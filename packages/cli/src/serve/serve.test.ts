import { once } from "node:events";
import { createServer as createHttpServer, type ServerResponse } from "node:http";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { createRuntime } from "@x/runtime";
import { expect, test } from "vitest";

import { testEngine } from "../../../runtime/src/engine.cases.ts";
import { runHere, type RunningHere, startHere } from "../run-here.cases.ts";
import { makeFolder, spawnX, type Spawned } from "../spawned.cases.ts";

const inbox = (version: number): string => `export default {
  name: "Inbox", version: "1", props: { http: "$.interface.http" },
  run({ body }) { this.$emit({ body, version: ${version} }); },
};`;

const argsOf = (files: readonly string[]): string[] => ["serve", "--port", "0", "--data", "data", ...files];
const startProcess = (cwd: string, ...args: readonly string[]): Spawned => spawnX(argsOf(args), { cwd });
const start = (cwd: string, ...args: readonly string[]): RunningHere => startHere(argsOf(args), { cwd });

async function baseUrlOf(x: RunningHere): Promise<string> {
  const [, url = ""] = await x.printed(/^Serving on (\S+)\/v1$/m);
  return url;
}

async function stop(x: RunningHere, signal: "SIGINT" | "SIGTERM"): Promise<void> {
  x.hear(signal);
  expect([await x.exit, x.err()]).toEqual([0, ""]);
}

/** Reads the payloads of the first source's events until there are `count`. */
async function eventsOf(url: string, key: string, id: string, count: number): Promise<unknown[]> {
  for (;;) {
    const response = await fetch(`${url}/v1/sources/${id}/event_summaries?expand=event`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const { data } = (await response.json()) as { data: { event: unknown }[] };
    if (data.length >= count) return data.map(({ event }) => event);
  }
}

test("it is ready on /healthz, keeps its key, sources and events over a restart, and SIGTERM exits 0", async () => {
  await using folder = await makeFolder({ "inbox.js": inbox(1) });
  await using first = start(folder.path, "inbox.js");
  const firstUrl = await baseUrlOf(first);
  const [, key = ""] = await first.printed(/^API key \(new, keep it\): (\S+)$/m);
  const [, id = "", path = ""] = await first.printed(/^Source inbox \((dc_\w+), new\) {2}http:\/\/[^/]+(\/in\/\w+)$/m);
  expect((await fetch(`${firstUrl}/healthz`)).status).toBe(200);
  const json = { method: "POST", headers: { "content-type": "application/json" }, body: '{"a":1}' };
  expect((await fetch(firstUrl + path, json)).status).toBe(200);
  expect(await eventsOf(firstUrl, key, id, 1)).toEqual([{ body: { a: 1 }, version: 1 }]);
  await stop(first, "SIGTERM");

  await writeFile(join(folder.path, "inbox.js"), inbox(2));
  await using second = start(folder.path, "inbox.js");
  const secondUrl = await baseUrlOf(second);
  await second.printed(new RegExp(`^Source inbox \\(${id}, updated\\) .*${path}$`, "m"));
  expect(second.out()).not.toContain(key);
  expect(second.out()).toMatch(/^API key: the one that the first start printed; .* x users rotate local --data \S+$/m);
  expect((await fetch(secondUrl + path, json)).status).toBe(200);
  expect(await eventsOf(secondUrl, key, id, 2)).toEqual([
    { body: { a: 1 }, version: 2 },
    { body: { a: 1 }, version: 1 },
  ]);
  await stop(second, "SIGINT");
});

test("a signal while it starts lets the hook under way finish, and nothing more begins", async () => {
  const service = createHttpServer().listen(0, "127.0.0.1");
  await once(service, "listening");
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/`;
  const named = (name: string): string => `export default { name: "${name}", version: "1", run() {},
    props: { http: "$.interface.http" }, hooks: { async deploy() { await fetch("${url}"); } } };`;
  await using folder = await makeFolder({ "one.js": named("One"), "two.js": named("Two") });
  await using x = start(folder.path, "one.js", "two.js", "--network", "allow-private");
  const [, response] = (await once(service, "request")) as [unknown, ServerResponse];
  x.hear("SIGTERM");
  response.end();
  expect([await x.exit, x.out(), x.err()]).toEqual([0, "", ""]);
  service.close();

  await using runtime = await createRuntime({ data: join(folder.path, "data"), engine: await testEngine() });
  const { items } = await runtime.sources({ limit: 10 });
  expect(items.map(({ source }) => source.name)).toEqual(["one"]);
});

test("a port in use is reported in one line, exit 4", async () => {
  await using folder = await makeFolder();
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  const { code, err } = await runHere(["serve", "--port", String(port)], { cwd: folder.path });
  expect([code, err]).toEqual([
    4,
    `error: port ${port} on 127.0.0.1 is in use, perhaps by another x; stop it, or choose another port with --port\n`,
  ]);
  taken.close();
  await once(taken, "close");
});

test("a damaged data file is reported in one line, exit 4", async () => {
  await using folder = await makeFolder({ "x.db": "this is no database".repeat(1_000) });
  const { code, err } = await runHere(["serve", "--port", "0", "--data", "."], { cwd: folder.path });
  expect(code).toBe(4);
  expect(err).toMatch(/^error\[store_corrupt\]: The data file \S+ is damaged: [^\n]+\n$/);
});

test("--json-logs prints objects; keys come from flags and environment; failed runs are logged", async () => {
  await using folder = await makeFolder({
    "fails.js": `export default { name: "Fails", version: "1", props: { http: "$.interface.http" }, run() { throw new Error("oh"); } };`,
  });
  await using x = spawnX(["serve", "fails.js", "--port", "0", "--json-logs"], {
    cwd: folder.path,
    env: { X_API_KEY: "from-environment" },
  });
  const [line] = await x.printed(/^.*serving.*$/m);
  const {
    base_url: url,
    api_key: made,
    sources,
  } = JSON.parse(line) as {
    base_url: string;
    api_key?: string;
    sources: { endpoints: string[] }[];
  };
  expect(made).toBeUndefined();
  const user = await fetch(`${url}/users/me`, { headers: { authorization: "Bearer from-environment" } });
  expect(user.status).toBe(200);
  await fetch(sources[0]?.endpoints[0] ?? "");
  const told = once(x.child.stderr ?? x.child, "data");
  if (x.err() === "") await told;
  expect(JSON.parse(x.err())).toMatchObject({ level: "warn", message: "a run failed", name: "fails", error: "oh" });
  // Nobody reads the log any more: that ends no service.
  x.child.stderr?.destroy();
  await fetch(sources[0]?.endpoints[0] ?? "");
  x.child.kill("SIGTERM");
  expect(await x.exit).toBe(0);
});

test("a second signal ends the process at once, during a run too", async () => {
  await using folder = await makeFolder({
    "waits.js": `export default { name: "Waits", version: "1",
      props: { http: { type: "$.interface.http", customResponse: true } },
      async run({ query }) { await fetch(query.url); } };`,
  });
  const silent = createHttpServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  const silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
  await using x = startProcess(folder.path, "waits.js", "--network", "allow-private");
  const [, endpoint = ""] = await x.printed(/^Source waits .* {2}(\S+)$/m);
  const answered = fetch(`${endpoint}?url=${encodeURIComponent(silentUrl)}`).catch(() => undefined);
  await once(silent, "request");
  x.child.kill("SIGTERM");
  x.child.kill("SIGINT");
  // 128 and the number of whichever was taken second.
  expect([130, 143]).toContain(await x.exit);
  await answered;
  silent.closeAllConnections();
  silent.close();
});

test("--clock manual: time moves by POST /v1/clock/advance, and what became due has run when it answers", async () => {
  const ticker = `export default {
    name: "Ticker", version: "1", props: { timer: { type: "$.interface.timer", default: { intervalSeconds: 60 } } },
    run({ timestamp }) { this.$emit(timestamp); },
  };`;
  await using folder = await makeFolder({ "ticker.js": ticker });
  await using x = start(folder.path, "ticker.js", "--clock", "manual", "--api-key", "k");
  const url = await baseUrlOf(x);
  const [, id = ""] = await x.printed(/^Source \S+ \((dc_\w+), /m);
  const headers = { authorization: "Bearer k", "content-type": "application/json" };
  const answer = await fetch(`${url}/v1/clock/advance`, { method: "POST", headers, body: '{"ms": 60000}' });
  expect(answer.status).toBe(200);
  const { data } = (await answer.json()) as { data: { now_ms: number } };
  expect(await eventsOf(url, "k", id, 1)).toEqual([Math.floor(data.now_ms / 1000)]);
  await stop(x, "SIGTERM");
});
