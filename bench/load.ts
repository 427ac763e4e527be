/** `npm run bench:load`: events for as long as they are wanted, for profilers, and what each takes. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { createRuntime } from "@x/runtime";

import { component, request } from "./at-once.ts";
import { machine } from "./machine.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "20" },
    /** Sources whose events are handled at the same time. */
    sources: { type: "string", default: "32" },
    /** Without a data folder. */
    memory: { type: "boolean", default: false },
  },
});
/** Events that are sent before their runs are awaited: fewer than the queues of the sources hold. */
const atOnce = 400;

const folder = values.memory ? undefined : mkdtempSync(join(tmpdir(), "x-load-"));
const runtime = await createRuntime(folder === undefined ? {} : { data: folder });
const endpoints: string[] = [];
for (let index = 0; index < Number(values.sources); index += 1)
  endpoints.push((await runtime.deploy({ code: component, name: `load ${index}` })).source.endpoints["http"] ?? "");

async function send(count: number): Promise<void> {
  let begun = 0;
  const lane = async (endpoint: string): Promise<void> => {
    while (begun < count) {
      begun += 1;
      const { status } = await runtime.request(endpoint, request);
      if (status !== 200) throw new Error(`A request was answered with ${status}`);
    }
  };
  await Promise.all(endpoints.map(lane));
  await runtime.idle();
}

/** Writes of this process since its start, and their kB; zeros where the system does not count them. */
function written(): { readonly calls: number; readonly kb: number } {
  try {
    const text = readFileSync("/proc/self/io", "utf8");
    const of = (name: string): number => Number(new RegExp(`^${name}: (\\d+)$`, "m").exec(text)?.[1] ?? 0);
    return { calls: of("syscw"), kb: of("wchar") / 1_024 };
  } catch {
    return { calls: 0, kb: 0 };
  }
}

console.log(machine());
await send(10 * atOnce);
const [begun, cpu, before, wrote] = [performance.now(), process.cpuUsage(), (await runtime.stats()).commits, written()];
let events = 0;
while (performance.now() - begun < Number(values.seconds) * 1_000) {
  await send(atOnce);
  events += atOnce;
}
const { user, system } = process.cpuUsage(cpu);
const perSecond = (events / (performance.now() - begun)) * 1_000;
console.log(`${perSecond.toFixed(0)} events/s, ${((user + system) / events).toFixed(0)} us CPU each`);
const after = (await runtime.stats()).commits;
const transactions = after.batches.count - before.batches.count;
const ms = (after.batchMs.sum - before.batchMs.sum) / transactions;
const [calls, kb] = [written().calls - wrote.calls, written().kb - wrote.kb];
console.log(
  `${(events / transactions).toFixed(1)} events in a transaction of ${ms.toFixed(2)} ms; ` +
    `${(calls / events).toFixed(1)} writes and ${(kb / events).toFixed(1)} kB for each event`,
);
await runtime.close();
if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
