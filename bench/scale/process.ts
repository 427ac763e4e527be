/** A process of `bench/scale`: fills a folder with sources, or opens one that is full. */
import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

import { createRuntime, type Runtime } from "@x/runtime";

import { median } from "../machine.ts";
import type { ScaleMessage, ScalePlan, ScalePoint } from "./plan.ts";

/** A component with a timer, of about 2 KB; each is another one. */
const componentText = (index: number): string => `
const app = {
  name: "app ${index}",
  headers: { "x-version": "${index}", accept: "application/json" },
  url(path, query = {}) {
    const url = new URL("https://service-${index}.test/v1/" + path);
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
    return url.href;
  },
  async list(path, query) {
    const reply = await fetch(this.url(path, query), { headers: this.headers });
    if (!reply.ok) throw new Error("Service ${index} answered " + reply.status);
    return (await reply.json()).items;
  },
};
const fields = ["id", "title", "state", "created_at", "updated_at", "owner", "labels", "field_${index}"];
const pick = (item) => Object.fromEntries(fields.filter((field) => field in item).map((field) => [field, item[field]]));
export default {
  name: "New item ${index}", version: "0.1.${index}", dedupe: "unique",
  description: "Emits an event for each new item of service ${index}.",
  props: {
    db: "$.service.db",
    timer: { type: "$.interface.timer", default: { intervalSeconds: 86400 } },
    project: { type: "string", label: "Project", description: "The project whose items are watched.", optional: true },
    limit: { type: "integer", label: "Limit", default: 20, optional: true },
  },
  methods: {
    since() { return this.db.get("since") ?? 0; },
    emitAll(items) {
      for (const item of items) this.$emit(pick(item), { id: item.id, summary: "Item " + item.title, ts: item.created_at });
    },
  },
  async run(event) {
    if (event.items) this.emitAll(event.items);
    else this.emitAll(await app.list("items", { project: this.project, since: this.since() }));
    this.db.set("since", event.timestamp ?? 0);
  },
};`;

/** Resident bytes after several collections: some native memory is freed one collection later. */
async function resident(): Promise<number> {
  for (let pass = 0; pass < 3; pass += 1) {
    globalThis.gc?.();
    await wait(100);
  }
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? Number.NaN) * 1024;
}

const open = (folder: string): Promise<Runtime> => createRuntime({ data: folder });

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
};

const deploysAtOnce = 8;
const listed = 20;

async function fill({ folder, kind, components, sources }: ScalePlan): Promise<readonly ScalePoint[]> {
  await using runtime = await open(folder);
  await runtime.start();
  const ids: string[] = [];
  const points: ScalePoint[] = [];
  let deploys: number[] = [];
  let next = 0;
  const deployNext = async (until: number): Promise<void> => {
    while (next < until) {
      const index = next;
      next += 1;
      const reference =
        index < components ? { code: componentText(index) } : { componentId: ids[index % components] ?? "" };
      const begun = performance.now();
      const { source } = await runtime.deploy({ ...reference, name: `source ${index}` });
      if (kind === "distinct" || index >= components) deploys.push(performance.now() - begun);
      if (index < components) ids[index] = source.componentId;
    }
  };
  const grow = async (until: number): Promise<void> => {
    await Promise.all(Array.from({ length: deploysAtOnce }, () => deployNext(until)));
  };
  if (kind === "sources") await grow(components);
  const steps = kind === "distinct" ? [0.1, 0.25, 0.5, 1] : [0.01, 0.1, 0.5, 1];
  points.push({ sources: next, resident: await resident(), deployMs: 0, listMs: 0 });
  for (const share of steps) {
    const until = Math.max(next, Math.round(sources * share) - listed);
    await grow(until);
    deploys = [];
    // One at a time, as its duration counts.
    for (let one = 1; one <= listed; one += 1) await deployNext(until + one);
    const lists = [];
    for (let count = 0; count < listed; count += 1) lists.push(await timed(() => runtime.sources({ limit: 100 })));
    points.push({ sources: next, resident: await resident(), deployMs: median(deploys), listMs: median(lists) });
    process.stderr.write(`${next} sources: ${(points.at(-1)?.resident ?? 0) / 1e6} MB\n`);
  }
  return points;
}

async function restart({ folder, sources }: ScalePlan): Promise<ScaleMessage> {
  const begun = performance.now();
  await using runtime = await open(folder);
  await runtime.start();
  const { items } = await runtime.sources({ limit: 100 });
  const event = { items: [{ id: 1, title: "one" }] };
  await runtime.invoke(items[0]?.source.id ?? "", { event });
  const restartMs = performance.now() - begun;
  const restarted = await resident();
  const ids = items.map(({ source }) => source.id);
  let after = items.at(-1)?.source.id;
  while (ids.length < Math.min(sources, 1_000) && after !== undefined) {
    const page = await runtime.sources({ limit: 100, after });
    ids.push(...page.items.map(({ source }) => source.id));
    after = page.items.length > 0 ? page.items.at(-1)?.source.id : undefined;
  }
  await Promise.all(ids.map((id) => runtime.invoke(id, { event })));
  const peak = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) * 1024;
  await wait(25_000);
  return { restarted: { restartMs, restarted, burst: { sources: ids.length, peak, after: await resident() } } };
}

process.once("message", (message) => {
  const { plan, isFull } = message as { plan: ScalePlan; isFull: boolean };
  void (async () => {
    process.send?.(isFull ? await restart(plan) : ({ filled: await fill(plan) } satisfies ScaleMessage));
    process.disconnect();
  })();
});
