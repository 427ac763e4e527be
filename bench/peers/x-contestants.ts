import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createRuntime } from "@x/runtime";

import { defaults } from "../../packages/model/src/limits.ts";
import type { CallHost, GuestReply, Sandbox, SandboxCall } from "../../packages/sandbox/src/contract.ts";
import { createInlineSandbox } from "../../packages/sandbox/src/engines/inline-sandbox.ts";
import { noEffects } from "../../packages/sandbox/src/no-effects.ts";
import { createPool } from "../../packages/sandbox/src/pool/pool.ts";
import { type Contestant, killAfterMs, memoryBytes, type Opened, type Parked } from "./contestant.ts";
import { componentText, type HostSide } from "./workload.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A host of the sandbox whose requests ask `host`. */
const callHost = (host: HostSide): CallHost => ({
  ...noEffects,
  emit: ({ payload }) => host.emit(payload),
  dbSet: (key, value = "null") => host.dbSet(key, value),
  async fetch({ url, body }): Promise<GuestReply> {
    const answer = encoder.encode(await host.ask(decoder.decode(body)));
    return { url, status: 200, statusText: "OK", headers: [], body: answer, redirected: false };
  },
});

async function parkIn(sandbox: Sandbox, tenant: number, warm: boolean): Promise<Parked> {
  const code = componentText(tenant, "module.exports =");
  const bundle = { hash: createHash("sha256").update(code).digest("hex"), code };
  const described = await sandbox.describe(bundle, { timeoutMs: 5_000, memoryBytes });
  if (!described.ok) throw new Error(described.error.message);
  const callOf = (event: string, db: ReadonlyMap<string, string>, timeoutMs: number): SandboxCall => ({
    sourceId: `dc_${tenant}`,
    bundle,
    entry: "run",
    self: { props: {}, http: {}, timers: {}, db: ["db"], auth: {} },
    db,
    event,
    dedupe: undefined,
    emit: true,
    limits: { timeoutMs, memoryBytes },
    warm,
  });
  return {
    start(host) {
      const side = callHost(host);
      return Promise.resolve({
        async call(event) {
          const n = host.dbGet("n");
          const db = new Map(n === undefined ? [] : [["n", n]]);
          const { status, error } = await sandbox.call(callOf(event, db, 10_000), side);
          if (status !== "ok") throw new Error(error?.message ?? status);
          return undefined;
        },
        async loop() {
          const { status } = await sandbox.call(callOf('{"loop":true}', new Map(), killAfterMs), side);
          if (status !== "timeout") throw new Error(`The loop ended with ${status}`);
        },
        close: () => undefined,
      });
    },
  };
}

const sandboxOnly = (kind: "inline" | "thread", warm: boolean): Contestant => ({
  name: `x, sandbox ${kind === "inline" ? "without threads" : "with a thread"}${warm ? ", warm: true" : ""}`,
  freshRealm: !warm,
  memoryCap: "hard",
  kill: kind === "inline" ? "between instructions" : "anything, in its thread",
  durable: "by the runtime",
  async open(): Promise<Opened> {
    const sandbox =
      kind === "inline" ? createInlineSandbox({ limits: defaults }) : createPool({ workers: 1, limits: defaults });
    return { park: (tenant) => parkIn(sandbox, tenant, warm), close: () => sandbox.close() };
  },
});

/** `stored`: on SQLite, with a commit on the disk for each call. */
const invocation = (stored: boolean): Contestant => ({
  name: stored ? "x, whole invocation on SQLite" : "x, whole invocation in memory",
  freshRealm: true,
  memoryCap: "hard",
  kill: "anything, in its thread",
  durable: stored ? "db, dedupe, events, logs: one commit" : "one commit, in memory",
  async open(): Promise<Opened> {
    const folder = stored ? mkdtempSync(join(tmpdir(), "x-peers-")) : undefined;
    const hosts = new Map<string, HostSide>();
    const runtime = await createRuntime({
      ...(folder !== undefined && { data: folder }),
      limits: { memoryBytes },
      network: {
        async exchange({ url, body }) {
          const host = hosts.get(new URL(url).hostname);
          return { status: 200, headers: [], body: encoder.encode(await host?.ask(decoder.decode(body))) };
        },
      },
    });
    return {
      async park(tenant) {
        const code = componentText(tenant, "export default").replaceAll("host.test", `t${tenant}.test`);
        const { source } = await runtime.deploy({ code });
        const settings = { runTimeoutMs: killAfterMs };
        return {
          start(host) {
            hosts.set(`t${tenant}.test`, host);
            return Promise.resolve({
              async call(event) {
                const { status, emitted, error } = await runtime.invoke(source.id, {
                  event: JSON.parse(event) as { readonly title: string },
                });
                if (status !== "ok") throw new Error(error?.message ?? status);
                for (const { id, summary = "" } of emitted) {
                  host.emit(id);
                  host.dbSet("n", summary);
                }
                return undefined;
              },
              async loop() {
                const { source: looping } = await runtime.deploy({ code, settings });
                const begun = performance.now();
                const { status } = await runtime.invoke(looping.id, { event: { loop: true } });
                const ms = performance.now() - begun;
                if (status !== "timeout") throw new Error(`The loop ended with ${status}`);
                return ms;
              },
              close: () => undefined,
            });
          },
        };
      },
      async close() {
        await runtime.close();
        if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
      },
    };
  },
});

export const xContestants: readonly Contestant[] = [
  sandboxOnly("inline", false),
  sandboxOnly("inline", true),
  sandboxOnly("thread", false),
  sandboxOnly("thread", true),
  invocation(false),
  invocation(true),
];
