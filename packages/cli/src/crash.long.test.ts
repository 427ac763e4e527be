import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { makeFolder, runX, spawnX, type Spawned } from "./spawned.cases.ts";

const inbox = `export default {
  name: "Inbox", version: "1", props: { http: "$.interface.http" }, dedupe: "unique",
  run({ body }) { this.$emit(body, { id: body.n }); },
};`;
const waits = (port: number): string => `export default {
  name: "Waits", version: "1", props: { http: "$.interface.http" },
  async run() { this.$emit({ answer: await (await fetch("http://127.0.0.1:${port}/")).text() }); },
};`;

const onSignal = (statement: string): string => `process.on("SIGUSR2", () => { ${statement}; });`;
/** The exit waits for SIGHUP: the time before it is as long as a test needs. */
const heldExit = `const exit = process.exit; const released = new Promise((resolve) => process.once("SIGHUP", resolve));
process.exit = (code) => { void released.then(() => exit(code)); };`;

const kinds = [
  ["an exception", `throw new Error("planned")`],
  ["a rejection", `void Promise.reject(new Error("planned"))`],
] as const;

/** A server that keeps the requests of runs, until a test answers them. */
async function startUpstream(): Promise<{ readonly port: number; next(): Promise<ServerResponse> }> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    next: async () => (await once(server, "request"))[1] as ServerResponse,
  };
}

interface Serving {
  readonly url: string;
  /** Paths of the endpoints, by the name of the source. */
  readonly paths: ReadonlyMap<string, string>;
  readonly ids: ReadonlyMap<string, string>;
}

async function servingOf(x: Spawned): Promise<Serving> {
  const [, line = ""] = await x.printed(/^(.*"message":"serving".*)$/m);
  const { base_url: base, sources } = JSON.parse(line) as {
    base_url: string;
    sources: readonly { id: string; name: string; endpoints: readonly string[] }[];
  };
  return {
    url: base.replace(/\/v1$/, ""),
    paths: new Map(sources.map(({ name, endpoints }) => [name, new URL(endpoints[0] ?? "").pathname])),
    ids: new Map(sources.map(({ name, id }) => [name, id])),
  };
}

const key = "a-key-of-the-test";
const args = ["serve", "inbox.js", "waits.js", "--port=0", "--data=data", "--network=allow-private", "--json-logs"];

async function post(url: string, body: unknown): Promise<number> {
  const headers = { "content-type": "application/json" };
  return (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).status;
}

async function eventsOf({ url, ids }: Serving, name: string): Promise<readonly unknown[]> {
  const path = `/v1/sources/${ids.get(name)}/event_summaries?expand=event&limit=100`;
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
  return ((await response.json()) as { data: readonly { event: unknown }[] }).data.map(({ event }) => event);
}

test.each(kinds)(
  "%s that nothing catches is logged, /healthz says 503, the process exits with 4, and the next one has and runs everything",
  async (_, statement) => {
    const upstream = await startUpstream();
    await using folder = await makeFolder({
      "inbox.js": inbox,
      "waits.js": waits(upstream.port),
      "module.mjs": `${onSignal(statement)}\n${heldExit}`,
    });
    const env = { X_API_KEY: key };
    const options = { ...env, NODE_OPTIONS: `--import=${join(folder.path, "module.mjs")}` };
    await using x = spawnX(args, { cwd: folder.path, env: options });
    const serving = await servingOf(x);
    const begun = upstream.next();
    expect(await post(serving.url + serving.paths.get("waits"), {})).toBe(200);
    await begun;
    const acknowledged: number[] = [];
    for (let n = 1; n <= 20; n += 1) {
      if (n === 15) x.child.kill("SIGUSR2");
      if ((await post(serving.url + serving.paths.get("inbox"), { n })) === 200) acknowledged.push(n);
    }
    await expect.poll(() => x.err()).toContain("planned");
    expect((await fetch(`${serving.url}/healthz`)).status).toBe(503);
    expect(await post(serving.url + serving.paths.get("inbox"), { n: 21 })).toBe(503);
    x.child.kill("SIGHUP");
    expect(await x.exit).toBe(4);
    const report = x
      .err()
      .split("\n")
      .find((line) => line.includes("planned"));
    expect(JSON.parse(report ?? "")).toMatchObject({
      level: "error",
      error: expect.stringMatching(/planned\n.*module\.mjs:1:/),
    });

    await using next = spawnX(args, { cwd: folder.path, env });
    const again = upstream.next();
    const after = await servingOf(next);
    (await again).end("at last");
    await expect.poll(() => eventsOf(after, "waits")).toEqual([{ answer: "at last" }]);
    await expect.poll(async () => (await eventsOf(after, "inbox")).length).toBeGreaterThanOrEqual(acknowledged.length);
    expect(acknowledged.length).toBeGreaterThanOrEqual(14);
    expect(await eventsOf(after, "inbox")).toEqual(expect.arrayContaining(acknowledged.map((n) => ({ n }))));
  },
);

test.each([
  ["a service that waits for a run before it ends", "SIGTERM"],
  ["a service that serves", undefined],
] as const)("%s is ended by an exception that nothing catches, whatever is under way", async (_, signal) => {
  const upstream = await startUpstream();
  await using folder = await makeFolder({
    "inbox.js": inbox,
    "waits.js": waits(upstream.port),
    "module.mjs": onSignal(kinds[0][1]),
  });
  const env = { X_API_KEY: key, NODE_OPTIONS: `--import=${join(folder.path, "module.mjs")}` };
  await using x = spawnX(args, { cwd: folder.path, env });
  const serving = await servingOf(x);
  const begun = upstream.next();
  expect(await post(serving.url + serving.paths.get("waits"), {})).toBe(200);
  await begun;
  if (signal) x.child.kill(signal);
  x.child.kill("SIGUSR2");
  expect(await x.exit).toBe(4);
  expect(x.err()).toContain("planned");
});

test.each([
  ["x run", ["run", "inbox.js"]],
  ["x dev", ["dev", "inbox.js", "--port=0"]],
] as const)("%s ends in the same way", async (_, command) => {
  await using folder = await makeFolder({
    "inbox.js": inbox,
    "module.mjs": `process.on("newListener", (name) => {
      if (name === "uncaughtException") setImmediate(() => { throw new Error("planned"); });
    });`,
  });
  const env = { NODE_OPTIONS: `--import=${join(folder.path, "module.mjs")}` };
  const { code, err } = await runX(command, { cwd: folder.path, env });
  expect([code, err]).toEqual([4, expect.stringMatching(/^error: .*planned\n +at .*module\.mjs:2:/)]);
});
