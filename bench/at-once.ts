/** What benchmarks of many sources at once send, and to whom. It loads no runtime: `bench:pair` brings its own. */
import { performance } from "node:perf_hooks";

import type { EndpointRequest, Runtime } from "@x/runtime";

/** Sources whose events are handled at the same time. */
export const sourceCount = 32;

/** The component of the measurements. */
export const component = `export default {
  name: "Bench", version: "1", dedupe: "unique",
  props: { db: "$.service.db", http: "$.interface.http" },
  run(event) {
    const n = (this.db.get("n") ?? 0) + 1;
    this.db.set("n", n);
    this.$emit({ n, body: event.body }, { id: n, summary: "event " + n });
  },
};`;

/** Its request. */
export const request: EndpointRequest = {
  method: "POST",
  path: "/",
  url: "http://127.0.0.1/",
  search: "",
  headers: [["content-type", "application/json"]],
  body: new TextEncoder().encode(
    JSON.stringify({ title: "An order", lines: Array.from({ length: 8 }, (_, id) => ({ id, sku: "sku-" + id })) }),
  ),
  clientIp: "127.0.0.1",
};

/** Deploys the component of the measurements; returns the endpoints. */
export async function deployAll(runtime: Runtime, count: number): Promise<string[]> {
  const keys: string[] = [];
  for (let index = 0; index < count; index++) {
    const { source } = await runtime.deploy({ code: component, name: `bench ${index}` });
    keys.push(source.endpoints["http"] ?? "");
  }
  return keys;
}

/** How long a round lasts. */
interface LoadPlan {
  readonly roundMs: number;
  /** Minimum number of runs of each source in a round, so that a busy machine does not measure the warm-up only. */
  readonly minRuns: number;
}

/** Every source gets its next request after the previous run; returns runs per second and CPU time per run. */
export async function load(
  runtime: Runtime,
  keys: readonly string[],
  { roundMs, minRuns }: LoadPlan,
): Promise<{ perSecond: number; cpu: number }> {
  const { dailyInvocationsUsed: before } = await runtime.user();
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  await Promise.all(
    keys.map(async (key) => {
      for (let run = 0; run < minRuns || performance.now() - start < roundMs; run++)
        await runtime.request(key, request);
    }),
  );
  await runtime.idle();
  const elapsed = performance.now() - start;
  const { user, system } = process.cpuUsage(cpuBefore);
  const runs = (await runtime.user()).dailyInvocationsUsed - before;
  return { perSecond: (runs / elapsed) * 1000, cpu: (user + system) / runs };
}
