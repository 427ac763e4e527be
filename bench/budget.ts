/** `npm run bench:budget`: where the processor time of one event goes, by leaving out one part after another. */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { createRuntime, type Runtime, type RuntimeOptions } from "@x/runtime";

import { defaults } from "../packages/model/src/limits.ts";
import type { CallHost, Sandbox, SandboxCall } from "../packages/sandbox/src/contract.ts";
import { createInlineSandbox } from "../packages/sandbox/src/engines/inline-sandbox.ts";
import { noEffects } from "../packages/sandbox/src/no-effects.ts";
import { createPool } from "../packages/sandbox/src/pool/pool.ts";
import { component, request } from "./at-once.ts";
import { machine, median } from "./machine.ts";
import { updatePage } from "./page.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "9" },
    /** Events in a round. */
    events: { type: "string", default: "400" },
    /** Sources whose events are handled at the same time. */
    sources: { type: "string", default: "32" },
    /** Replaces the table in docs/performance.md. */
    update: { type: "boolean", default: false },
  },
});
const events = Number(values.events);
const sources = Number(values.sources);

/** A form of the same work with more or fewer parts; handles so many events. */
interface Form {
  readonly name: string;
  run(count: number): Promise<void> | void;
  close(): Promise<void> | void;
}

const host: CallHost = {
  ...noEffects,
  fetch: () => Promise.reject(new Error("The component sends no requests")),
};

/** As many at a time as there are sources, each source one after another. */
async function inLanes(
  count: number,
  handle: (lane: number) => Promise<unknown>,
  lanes: number = sources,
): Promise<void> {
  let begun = 0;
  const lane = async (index: number): Promise<void> => {
    while (begun < count) {
      begun += 1;
      await handle(index);
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, index) => lane(index)));
}

async function sandboxForm(name: string, sandbox: Sandbox, warm: boolean, lanes?: number): Promise<Form> {
  const code = component.replace("export default", "module.exports =");
  const bundle = { hash: createHash("sha256").update(code).digest("hex"), code };
  const limits = { timeoutMs: 60_000, memoryBytes: defaults.memoryBytes };
  const event = JSON.stringify({
    method: "POST",
    path: "/",
    body: JSON.parse(new TextDecoder().decode(request.body)) as object,
  });
  const described = await sandbox.describe(bundle, limits);
  if (!described.ok) throw new Error(described.error.message);
  const call = (lane: number): SandboxCall => ({
    sourceId: `dc_${lane}`,
    bundle,
    entry: "run",
    self: {
      props: {},
      http: { http: { endpoint: "http://127.0.0.1/", customResponse: false } },
      timers: {},
      db: ["db"],
      auth: {},
    },
    db: new Map([["n", "1"]]),
    event,
    dedupe: "unique",
    emit: true,
    limits,
    warm,
  });
  return {
    name,
    run: (count) =>
      inLanes(
        count,
        async (lane) => {
          const { status } = await sandbox.call(call(lane), host);
          if (status !== "ok") throw new Error(`A call ended with ${status}`);
        },
        lanes,
      ),
    close: () => sandbox.close(),
  };
}

async function runtimeForm(name: string, options: RuntimeOptions, done?: () => void): Promise<Form> {
  const runtime: Runtime = await createRuntime(options);
  const deployed: { readonly endpoints: Readonly<Record<string, string>> }[] = [];
  for (let index = 0; index < sources; index += 1)
    deployed.push((await runtime.deploy({ code: component, name: `budget ${index}` })).source);
  return {
    name,
    async run(count) {
      await inLanes(count, (lane) => runtime.request(deployed[lane]?.endpoints["http"] ?? "", request));
      await runtime.idle();
    },
    async close() {
      await runtime.close();
      done?.();
    },
  };
}

async function openForms(): Promise<readonly Form[]> {
  const folder = mkdtempSync(join(tmpdir(), "x-budget-"));
  return [
    // Of one source: with more, each has a machine of its own when it is warm, and none is in the caches.
    await sandboxForm("warm", createInlineSandbox({ limits: defaults }), true, 1),
    await sandboxForm("fresh", createInlineSandbox({ limits: defaults }), false, 1),
    await sandboxForm("thread", createPool({ limits: defaults, workers: 1 }), false),
    await runtimeForm("memory", {}),
    await runtimeForm("disk", { data: folder }, () => rmSync(folder, { recursive: true, force: true })),
  ];
}

/** Microseconds of CPU time of all threads per event, by the name of the form. */
async function measure(): Promise<ReadonlyMap<string, number>> {
  const forms = await openForms();
  const found = new Map<string, number[]>(forms.map(({ name }) => [name, []]));
  for (const form of forms) await form.run(events);
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const form of forms) {
      const before = process.cpuUsage();
      await form.run(events);
      const { user, system } = process.cpuUsage(before);
      found.get(form.name)?.push((user + system) / events);
    }
  }
  for (const form of forms) await form.close();
  return new Map([...found].map(([name, each]) => [name, median(each)]));
}

const measured = await measure();
const of = (name: string): number => measured.get(name) ?? Number.NaN;
const row = (part: string, us: number): string => `| ${part} | ${us.toFixed(0)} us |`;
const table = [
  `${machine()}; medians of ${values.rounds} rounds of ${values.events} events of ${values.sources} sources, by turns.`,
  "",
  "| Part | Processor time of an event |",
  "| --- | --- |",
  row("the component's code, its input and effects as text (a sandbox without threads, `warm: true`)", of("warm")),
  row("a fresh realm: a copy of its image", of("fresh") - of("warm")),
  row("a thread: its messages, the scheduler, the journal of effects", of("thread") - of("fresh")),
  row(
    "the runtime: request, stored trigger, lane, dedupe, settling, records (memory store)",
    of("memory") - of("thread"),
  ),
  row("SQLite instead of memory: encoding, the writer thread, the disk", of("disk") - of("memory")),
  row("**together: request to commit on SQLite**", of("disk")),
].join("\n");
console.log(table);
if (values.update) updatePage("budget", table);
