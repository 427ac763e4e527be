import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, onTestFinished, test } from "vitest";

import { dropSchema, missingServer, newSchema, serverUrl } from "../../packages/postgres/src/server.cases.ts";
import { freePort } from "../free-port.ts";
import { answering, type Running, start } from "./program.ts";
import { missingProxies, mountPath, type Prefix, proxies, type ProxyName, startProxy } from "./proxies.ts";

const main = fileURLToPath(new URL("../../packages/cli/dist/main.js", import.meta.url));
const apiKey = "proxies-key-000001";
const numbers = Array.from({ length: 100 }, (_, index) => index);
const inbox = `export default { name: "Inbox", version: "1", key: "inbox", dedupe: "unique", props: { http: "$.interface.http" },
  run({ body }) { this.$emit(body, { id: body.mark }); } };`;

/** Removed after the test. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "x-proxies-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The page and everything that it and its files load. */
async function expectPages(url: string): Promise<void> {
  const seen = new Set<string>();
  const left = [`${url}/`, `${url}/docs`];
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const response = await fetch(at);
    expect([at, response.status]).toEqual([at, 200]);
    const text = await response.text();
    const found = [
      ...text.matchAll(/(?:src|href)="([^"#:]+)"/g),
      ...text.matchAll(/(?:from|import)\s*\(?["'`](\.[^"'`]+\.js)["'`]/g),
    ];
    left.push(...found.map(([, path = ""]) => new URL(path, response.url).href));
  }
  expect(seen.size).toBeGreaterThan(8);
}

/** A receiver of deliveries. */
async function startReceiver(): Promise<{ readonly url: string; readonly marks: number[] }> {
  const marks: number[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request
      .on("data", (more) => (text += String(more)))
      .on("end", () => {
        marks.push((JSON.parse(text) as { mark: number }).mark);
        response.end();
      });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, marks };
}

interface Api {
  (
    method: string,
    path: string,
    body?: object,
  ): Promise<{
    readonly data: {
      readonly id: string;
      readonly configured_props: { readonly http: { readonly endpoint_url: string } };
    };
    readonly page_info?: { readonly total_count: number };
  }>;
}

const apiOf =
  (url: string, key: string): Api =>
  async (method, path, body) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const response = await fetch(`${url}/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await response.text();
    expect([method, path, response.ok, text]).toEqual([method, path, true, text]);
    return JSON.parse(text) as Awaited<ReturnType<Api>>;
  };

/**
 * Posts one event. As senders do, it repeats what stored nothing: an answer of 503, and of 502 by Caddy, whose node was gone.
 */
async function post(endpoint: string, mark: number, repeated: readonly number[] = [503]): Promise<void> {
  for (;;) {
    const headers = { "content-type": "application/json" };
    const response = await fetch(endpoint, { method: "POST", headers, body: JSON.stringify({ mark }) });
    await response.body?.cancel();
    if (response.status === 200) return;
    expect([mark, repeated]).toEqual([mark, expect.arrayContaining([response.status])]);
    expect(response.status === 502 || response.headers.has("retry-after")).toBe(true);
  }
}

const reason = await missingServer();

describe.each((Object.keys(proxies) as ProxyName[]).map((name) => ({ name })))("behind $name", ({ name }) => {
  const skip = missingProxies.has(name);

  test.skipIf(skip).each([
    ["at the root", "none"],
    ["below a path that the proxy keeps", "kept"],
    ["below a path that the proxy removes", "removed"],
  ] as const)("S43 a node %s: pages, events, a stream while it is open, deliveries", async (_where, prefix: Prefix) => {
    const receiver = await startReceiver();
    const [at, port] = [await freePort(), await freePort()];
    const path = prefix === "none" ? "" : mountPath;
    const args = ["--port", String(port), "--data", makeFolder(), "--public-url", `http://127.0.0.1:${at}${path}`];
    if (prefix === "kept") args.push("--mount-path", path);
    await using node = start(process.execPath, [main, "serve", ...args], { env: { X_API_KEY: apiKey } });
    await answering(node, `http://127.0.0.1:${port}/healthz`);
    await using proxy = await startProxy(name, [port], prefix, at);
    await expectPages(proxy.url);

    const api = apiOf(proxy.url, apiKey);
    const { data: source } = await api("POST", "/sources", { component_code: inbox });
    const { data: webhook } = await api("POST", "/webhooks", { url: receiver.url });
    await api("POST", "/subscriptions", { emitter_id: source.id, listener_id: webhook.id });
    const endpoint = source.configured_props.http.endpoint_url;
    expect(endpoint.startsWith(`${proxy.url}/in/`)).toBe(true);

    // Each is read before the next is sent: a proxy that collects what it passes on would stop here.
    const stream = await fetch(`${proxy.url}/v1/sources/${source.id}/sse`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    const reader = stream.body?.getReader();
    let text = "";
    for (const mark of numbers) {
      await post(endpoint, mark);
      while (!text.includes(`"mark":${mark}}`)) text += Buffer.from((await reader?.read())?.value ?? []).toString();
    }
    await reader?.cancel();
    const { page_info: info } = await api("GET", `/sources/${source.id}/event_summaries?limit=1`);
    expect(info?.total_count).toBe(numbers.length);
    await expect.poll(() => receiver.marks, { timeout: 20_000 }).toEqual(numbers);
  });

  test.skipIf(skip || reason !== undefined)(
    "three nodes, each restarted while events come: none is lost, none comes twice",
    async () => {
      const folder = makeFolder();
      const schema = newSchema();
      onTestFinished(() => dropSchema(schema));
      const receiver = await startReceiver();
      const [at, ...ports] = [await freePort(), await freePort(), await freePort(), await freePort()];
      const env = {
        X_STORE: `${serverUrl}?schema=${schema}`,
        X_API_KEY: apiKey,
        X_SECRET_KEY: "0123456789abcdef".repeat(4),
        HOME: folder,
      };
      const nodes: Running[] = [];
      async function serve(index: number): Promise<void> {
        const port = ports[index] ?? 0;
        const args = [
          "--port",
          String(port),
          "--data",
          join(folder, String(index)),
          "--public-url",
          `http://127.0.0.1:${at}`,
        ];
        const node = start(process.execPath, [main, "serve", ...args, "--retention", "100000"], { env });
        nodes[index] = node;
        await answering(node, `http://127.0.0.1:${port}/healthz`);
      }
      onTestFinished(async () => {
        await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()));
      });
      for (const index of ports.keys()) await serve(index);
      await using proxy = await startProxy(name, ports, "none", at);
      const checked = name === "haproxy" ? ["x", "silent"] : [];
      await expect
        .poll(() => proxy.checks(), { timeout: 20_000 })
        .toEqual(checked.flatMap((backend) => [1, 2, 3].map((node) => `${backend} node${node} UP L7OK`)));
      const api = apiOf(proxy.url, apiKey);
      const { data: source } = await api("POST", "/sources", { component_code: inbox });
      const { data: webhook } = await api("POST", "/webhooks", { url: receiver.url });
      await api("POST", "/subscriptions", { emitter_id: source.id, listener_id: webhook.id });
      const endpoint = source.configured_props.http.endpoint_url;

      const restarted = new AbortController();
      const restarts = (async () => {
        for (const [index, node] of nodes.entries()) {
          node.child.kill("SIGTERM");
          expect(await node.exit).toBe(0);
          await serve(index);
        }
        restarted.abort();
      })();
      // HAProxy repeats by itself what a node answers with 503. nginx repeats a POST only while no node has it.
      const repeated = { haproxy: [], nginx: [503], caddy: [502, 503] }[name];
      let sent = 0;
      while (!restarted.signal.aborted || sent < numbers.length) await post(endpoint, sent++, repeated);
      await restarts;
      const all = Array.from({ length: sent }, (_, index) => index);
      // Deliveries come at least once, events exactly once.
      await expect.poll(() => new Set(receiver.marks).size, { timeout: 120_000 }).toBe(sent);
      expect([...new Set(receiver.marks)].toSorted((a, b) => a - b)).toEqual(all);
      const { page_info: info } = await api("GET", `/sources/${source.id}/event_summaries?limit=1`);
      expect(info?.total_count).toBe(sent);
      await expectPages(proxy.url);
    },
  );
});
