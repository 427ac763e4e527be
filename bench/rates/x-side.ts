import { setTimeout as pause } from "node:timers/promises";

import { createRuntime } from "@x/runtime";

import type { Side } from "./side.ts";

const componentOf = (prop: string, id: string): string => `export default {
  name: "Rate", version: "1", dedupe: "unique",
  props: { db: "$.service.db", ${prop} },
  run(event) {
    const n = (this.db.get("n") ?? 0) + 1;
    this.db.set("n", n);
    this.$emit({ n, ${id} }, { id: n, summary: "event " + n });
  },
};`;

/** x as an embedder runs it, on a data folder. */
export async function openX(folder: string): Promise<Side> {
  const runtime = await createRuntime({ data: folder });
  await runtime.start();
  const listening = new AbortController();
  let endpoint = "";

  async function listen(dues: Map<string, number>, intervalMs: number, done: (lateMs: number) => void): Promise<void> {
    for await (const { source } of runtime.events({ signal: listening.signal })) {
      const due = dues.get(source.id);
      if (due === undefined) continue;
      done(Date.now() - due);
      dues.set(source.id, due + intervalMs);
    }
  }

  return {
    async addTimers(count, intervalMs, done) {
      const timer = `timer: { type: "$.interface.timer", default: { intervalSeconds: ${intervalMs / 1_000} } }`;
      const code = componentOf(timer, "timestamp: event.timestamp");
      const dues = new Map<string, number>();
      void listen(dues, intervalMs, done);
      const begun = performance.now();
      for (let index = 0; index < count; index += 1) {
        const { source } = await runtime.deploy({ code, name: `rate ${index}` });
        dues.set(source.id, (await runtime.nextTick(source.id)) ?? Number.NaN);
        await pause(Math.max(0, begun + ((index + 1) * intervalMs) / count - performance.now()));
      }
    },
    async addEndpoint() {
      const code = componentOf(`http: "$.interface.http"`, "body: event.body");
      endpoint = (await runtime.deploy({ code })).source.endpoints["http"] ?? "";
    },
    async request(body) {
      const { status } = await runtime.request(endpoint, {
        method: "POST",
        path: "/",
        url: "http://127.0.0.1/",
        search: "",
        headers: [["content-type", "application/json"]],
        body: new TextEncoder().encode(body),
        clientIp: "127.0.0.1",
      });
      if (status !== 200) throw new Error(`A request was answered with ${status}`);
      await runtime.idle();
    },
    transactions: async () => (await runtime.stats()).commits.batches.count,
    async close() {
      listening.abort();
      await runtime.close();
    },
  };
}
