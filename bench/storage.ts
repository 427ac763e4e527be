import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { pathToFileURL } from "node:url";

import type { Change, Store } from "../packages/store/src/contract.ts";
import { openSqliteStore } from "../packages/store/src/sqlite/sqlite.ts";
import { machine, measureFdatasync, median } from "./machine.ts";

/** Medians over the rounds of one workload. */
export interface StorageFigures {
  readonly name: string;
  readonly commitsPerSecond: number;
  /** Commits per second over the fdatasync rate of the same disk in the same round. */
  readonly timesFdatasync: number;
  /** CPU time of all threads per commit. */
  readonly cpuMicroseconds: number;
}

export interface StorageReport {
  readonly fdatasyncPerSecond: number;
  readonly figures: readonly StorageFigures[];
}

export interface Workload {
  readonly name: string;
  readonly emits: number;
  readonly dedupeIds: number;
  /** True: a separate commit stores the trigger first, as for an HTTP request. */
  readonly enqueue: boolean;
}

const sources = 32;

/** Durations of the measurements. */
export interface StoragePlan {
  readonly rounds: number;
  readonly roundMs: number;
  readonly workloads: readonly Workload[];
}

export const workloads: readonly Workload[] = [
  { name: "invocation, 1 emit", emits: 1, dedupeIds: 1, enqueue: false },
  { name: "invocation, 1 emit, 100 dedupe ids", emits: 1, dedupeIds: 100, enqueue: false },
  { name: "invocation, 10 emits", emits: 10, dedupeIds: 1, enqueue: false },
  { name: "enqueue + invocation, 1 emit", emits: 1, dedupeIds: 1, enqueue: true },
];

const payload = JSON.stringify({ title: "An event", body: "x".repeat(370) });

/** Created before the measurement. */
const idPool: readonly string[] = Array.from({ length: 2_000 }, (_, index) => `item-${100_000 + index}`);

/** The changes of one invocation. */
function invocation(source: string, count: number, { emits, dedupeIds }: Workload): Change[] {
  const at = 1_800_000_000_000 + count;
  const from = count % (idPool.length - dedupeIds);
  const ids = idPool.slice(from, from + dedupeIds);
  const events: Change[] = Array.from({ length: emits }, (_, seq) => ({
    op: "event.add",
    event: {
      emitterId: source,
      stream: "emits",
      id: { ms: at, seq },
      emitId: "2r7SxSq4bTzRNfBPZCq3vWnZbX1",
      name: "",
      payload,
      dedupeId: `item-${count}`,
      summary: "An event",
    },
  }));
  return [
    { op: "trigger.remove", id: `${source}-${count}` },
    { op: "db.set", sourceId: source, key: "cursor", value: `"${count}"`, at },
    { op: "dedupe.set", sourceId: source, channel: "", state: { strategy: "unique", ids } },
    ...events,
    { op: "timer.set", sourceId: source, next: { at: at + 900_000, lastAt: at } },
    { op: "usage.add", userId: "u_bench", day: "2026-11-20", invocations: 1, computeMs: 3 },
  ];
}

const trigger = (source: string, count: number): Change => ({
  op: "trigger.add",
  running: true,
  trigger: {
    id: `${source}-${count}`,
    sourceId: source,
    type: "HTTP",
    event: payload,
    at: count,
    crashes: 0,
    hops: 0,
  },
});

/** Commits for a while, and measures that. */
export async function runRound(
  store: Store,
  workload: Workload,
  { counters, roundMs }: { readonly counters: number[]; readonly roundMs: number },
): Promise<StorageFigures> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const end = start + roundMs;
  let commits = 0;
  const lane = async (index: number): Promise<void> => {
    const source = `dc_bench${String(index).padStart(4, "0")}`;
    while (performance.now() < end) {
      const count = (counters[index] = (counters[index] ?? 0) + 1);
      if (workload.enqueue) await store.commit([trigger(source, count)]);
      await store.commit(invocation(source, count, workload));
      commits += 1;
    }
  };
  await Promise.all(Array.from({ length: sources }, (_, index) => lane(index)));
  const used = process.cpuUsage(cpu);
  return {
    name: workload.name,
    commitsPerSecond: (commits / (performance.now() - start)) * 1000,
    timesFdatasync: Number.NaN,
    cpuMicroseconds: (used.user + used.system) / commits,
  };
}

async function measure(
  folder: string,
  workload: Workload,
  { rounds, roundMs, syncs }: StoragePlan & { readonly syncs: number[] },
): Promise<StorageFigures> {
  const store = await openSqliteStore({ folder: join(folder, workload.name.replaceAll(/\W+/g, "-")) });
  const counters: number[] = [];
  const found: StorageFigures[] = [];
  try {
    await runRound(store, workload, { counters, roundMs });
    for (let round = 0; round < rounds; round += 1) {
      const rate = measureFdatasync(folder, 300);
      syncs.push(rate);
      const figures = await runRound(store, workload, { counters, roundMs });
      found.push({ ...figures, timesFdatasync: figures.commitsPerSecond / rate });
    }
  } finally {
    await store.close();
  }
  return {
    name: workload.name,
    commitsPerSecond: median(found.map((figures) => figures.commitsPerSecond)),
    timesFdatasync: median(found.map((figures) => figures.timesFdatasync)),
    cpuMicroseconds: median(found.map((figures) => figures.cpuMicroseconds)),
  };
}

const whole: StoragePlan = { rounds: 5, roundMs: 1_000, workloads };

/** Measures the store alone: 32 sources, each with sequential commits of invocations. */
export async function runStorageBench(plan: StoragePlan = whole): Promise<StorageReport> {
  const folder = mkdtempSync(join(process.env["X_BENCH_FOLDER"] ?? tmpdir(), "x-bench-"));
  const syncs: number[] = [];
  const figures: StorageFigures[] = [];
  try {
    for (const workload of plan.workloads) figures.push(await measure(folder, workload, { ...plan, syncs }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return {
    fdatasyncPerSecond: median(syncs),
    figures,
  };
}

/** The report as text for a terminal. */
export function formatStorageReport({ fdatasyncPerSecond, figures }: StorageReport): string {
  const lines = figures.map(
    (figure) =>
      `${figure.name.padEnd(38)}${figure.commitsPerSecond.toFixed(0).padStart(8)}/s` +
      `${figure.timesFdatasync.toFixed(1).padStart(8)} x fdatasync` +
      `${figure.cpuMicroseconds.toFixed(1).padStart(8)} us CPU`,
  );
  return [
    `Storage path: ${sources} sources at once; medians of ${whole.rounds} rounds; fdatasync of 4 KiB: ${fdatasyncPerSecond.toFixed(0)}/s`,
    ...lines,
  ].join("\n");
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log(machine());
  console.log(formatStorageReport(await runStorageBench()));
}
