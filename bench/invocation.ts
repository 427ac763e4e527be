import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { pathToFileURL } from "node:url";

import { createRuntime, type Runtime } from "@x/runtime";

import { component, deployAll, load, sourceCount } from "./at-once.ts";
import { machine, measureFdatasync, median } from "./machine.ts";

/** The first decile shows what is possible, also on a busy machine. */
interface Percentiles {
  readonly p10: number;
  readonly p50: number;
  readonly p99: number;
}

/** Figures of one whole invocation: request to an endpoint, durable trigger, run in the sandbox, commit. */
export interface InvocationReport {
  readonly fdatasyncPerSecond: number;
  /** 32 sources at once on SQLite. */
  readonly durablePerSecond: number;
  readonly timesFdatasync: number;
  readonly durableCpuMicroseconds: number;
  /** 32 sources at once on the memory store: the cost without a disk. */
  readonly memoryPerSecond: number;
  readonly memoryCpuMicroseconds: number;
  /** One message to a thread and back: the minimum for a sandbox in a thread on this machine. */
  readonly pingMicroseconds: Percentiles;
  /** One source, sequential runs, memory store: from invoke to its result. */
  readonly warmMicroseconds: Percentiles;
  /** The first run of a source with an image and without a sandbox. */
  readonly coldMicroseconds: Percentiles;
  /** The same for a component that verifies the signature of its event with node:crypto. */
  readonly coldSignedMicroseconds: Percentiles;
  /** From createRuntime on an existing folder to the first result of a run. */
  readonly startMs: number;
}

const signedComponent = `import { createHmac, timingSafeEqual } from "node:crypto";
export default {
  name: "Signed bench", version: "1",
  run({ body }) {
    const text = JSON.stringify(body);
    const sign = (data) => createHmac("sha256", "secret").update(data).digest();
    if (timingSafeEqual(sign(text), Buffer.from(sign(text).toString("hex"), "hex"))) this.$emit(body);
  },
};`;

/** Durations of the measurements. */
export interface InvocationPlan {
  readonly rounds: number;
  readonly roundMs: number;
  /** Minimum number of runs of each source in a round, so that a busy machine does not measure the warm-up only. */
  readonly minRuns: number;
  /** Numbers of runs of a warm source, and of sources that run for the first time. */
  readonly warmRuns: number;
  readonly coldRuns: number;
}

const whole: InvocationPlan = { rounds: 5, roundMs: 1_000, minRuns: 0, warmRuns: 3_000, coldRuns: 200 };

async function rates(runtime: Runtime, plan: InvocationPlan): Promise<{ perSecond: number; cpu: number }> {
  const keys = await deployAll(runtime, sourceCount);
  await load(runtime, keys, plan);
  const results = [];
  for (let round = 0; round < plan.rounds; round++) results.push(await load(runtime, keys, plan));
  return { perSecond: median(results.map(({ perSecond }) => perSecond)), cpu: median(results.map(({ cpu }) => cpu)) };
}

const percentiles = (values: readonly number[]): Percentiles => {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { p10: at(0.1), p50: at(0.5), p99: at(0.99) };
};

async function invokeTimes(runtime: Runtime, ids: readonly string[]): Promise<number[]> {
  const times = [];
  for (const id of ids) {
    const start = performance.now();
    await runtime.invoke(id, { event: { body: { a: 1 } } });
    times.push((performance.now() - start) * 1000);
  }
  return times;
}

async function pingTimes(): Promise<number[]> {
  const echo = `const { parentPort } = require("node:worker_threads"); parentPort.on("message", (text) => parentPort.postMessage(text));`;
  const worker = new Worker(echo, { eval: true });
  const times = [];
  for (let count = 0; count < 3_000; count++) {
    const start = performance.now();
    const answered = once(worker, "message");
    worker.postMessage("ping");
    await answered;
    times.push((performance.now() - start) * 1000);
  }
  await worker.terminate();
  return times;
}

async function coldTimes(runtime: Runtime, code: string, count: number): Promise<number[]> {
  const cold: string[] = [];
  for (let index = 0; index < count; index++)
    cold.push((await runtime.deploy({ code, name: `cold ${index}` })).source.id);
  return invokeTimes(runtime, cold);
}

type Latencies = Pick<InvocationReport, "warmMicroseconds" | "coldMicroseconds" | "coldSignedMicroseconds">;

async function latencies({ warmRuns, coldRuns }: InvocationPlan): Promise<Latencies> {
  await using runtime = await createRuntime();
  const { source } = await runtime.deploy({ code: component });
  await invokeTimes(
    runtime,
    Array.from({ length: 500 }, () => source.id),
  );
  const warm = await invokeTimes(
    runtime,
    Array.from({ length: warmRuns }, () => source.id),
  );
  return {
    warmMicroseconds: percentiles(warm),
    coldMicroseconds: percentiles(await coldTimes(runtime, component, coldRuns)),
    coldSignedMicroseconds: percentiles(await coldTimes(runtime, signedComponent, coldRuns)),
  };
}

async function startTime(folder: string): Promise<number> {
  const start = performance.now();
  await using runtime = await createRuntime({ data: folder });
  await runtime.start();
  const { items } = await runtime.sources({ limit: 1 });
  await runtime.invoke(items[0]?.source.id ?? "", { event: {} });
  return performance.now() - start;
}

export async function runInvocationBench(plan: InvocationPlan = whole): Promise<InvocationReport> {
  const folder = mkdtempSync(join(tmpdir(), "x-bench-"));
  try {
    const fdatasyncPerSecond = measureFdatasync(folder, Math.max(plan.roundMs, 100));
    const durable = await createRuntime({ data: folder });
    const onDisk = await rates(durable, plan);
    await durable.close();
    const starts = [];
    for (let round = 0; round < plan.rounds; round++) starts.push(await startTime(folder));
    const inMemory = await createRuntime();
    const withoutDisk = await rates(inMemory, plan);
    await inMemory.close();
    return {
      fdatasyncPerSecond,
      durablePerSecond: onDisk.perSecond,
      timesFdatasync: onDisk.perSecond / fdatasyncPerSecond,
      durableCpuMicroseconds: onDisk.cpu,
      memoryPerSecond: withoutDisk.perSecond,
      memoryCpuMicroseconds: withoutDisk.cpu,
      pingMicroseconds: percentiles(await pingTimes()),
      ...(await latencies(plan)),
      startMs: median(starts),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const micro = (value: number): string => `${value.toFixed(0)} us`;

/** The report as text for a terminal. */
export function formatInvocationReport(report: InvocationReport): string {
  const {
    warmMicroseconds: warm,
    coldMicroseconds: cold,
    coldSignedMicroseconds: signed,
    pingMicroseconds: ping,
  } = report;
  const over = (value: number): string =>
    `${(value / ping.p50).toFixed(1)} x a bare message to a thread and back (${micro(ping.p50)})`;
  return [
    `Invocations: ${sourceCount} sources at once, request to commit; medians of ${whole.rounds} rounds; fdatasync of 4 KiB: ${report.fdatasyncPerSecond.toFixed(0)}/s`,
    `on SQLite        ${report.durablePerSecond.toFixed(0)}/s, ${report.timesFdatasync.toFixed(1)} x fdatasync, ${micro(report.durableCpuMicroseconds)} CPU each`,
    `in memory        ${report.memoryPerSecond.toFixed(0)}/s, ${micro(report.memoryCpuMicroseconds)} CPU each`,
    `warm source      ${micro(warm.p50)} p50, ${micro(warm.p99)} p99 from invoke to result, ${over(warm.p50)}`,
    `cold source      ${micro(cold.p50)} p50, ${micro(cold.p99)} p99: first run, ${(cold.p50 / warm.p50).toFixed(1)} x warm`,
    `cold, signed     ${micro(signed.p50)} p50, ${micro(signed.p99)} p99: the same, verifying an HMAC with node:crypto`,
    `start            ${report.startMs.toFixed(0)} ms from createRuntime on ${sourceCount} sources to the first result`,
  ].join("\n");
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log(machine());
  console.log(formatInvocationReport(await runInvocationBench()));
}
