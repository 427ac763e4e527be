import { readFileSync, writeFileSync } from "node:fs";

import { calibrateCpu, calibrateProcess } from "./calibration.ts";
import { compareRatios, type Ratios, tolerance } from "./compare.ts";
import { runDeliveryBench } from "./delivery.ts";
import { runFirstEventBench } from "./first-event.ts";
import { runInvocationBench } from "./invocation.ts";
import { machine } from "./machine.ts";
import { runStorageBench, workloads } from "./storage.ts";

const file = new URL("baseline.json", import.meta.url);

/** No measurement starts later, so that a busy machine does not delay CI. */
const longestMs = 30_000;

const perThousand = (microseconds: number, fixedWork: number): number => (microseconds * 1_000) / fixedWork;

async function storageRatios(): Promise<Ratios> {
  const fixedWork = calibrateCpu();
  const { figures } = await runStorageBench({ rounds: 3, roundMs: 300, workloads: workloads.slice(0, 1) });
  return { "CPU of 1,000 commits / fixed work": perThousand(figures[0]?.cpuMicroseconds ?? Number.NaN, fixedWork) };
}

async function deliveryRatios(): Promise<Ratios> {
  const fixedWork = calibrateCpu();
  const report = await runDeliveryBench({ rounds: 2, count: 1_500 });
  return {
    "CPU of 1,000 deliveries / fixed work": perThousand(report.cpuMicroseconds, fixedWork),
    "delivery alone / beside a dead receiver": report.perSecond / report.besideDeadPerSecond,
  };
}

async function processRatios(): Promise<Ratios> {
  const bare = await calibrateProcess();
  return { "x run to the first event / bare process": (await runFirstEventBench(5)).shortest / bare };
}

async function invocationRatios(): Promise<Ratios> {
  const fixedWork = calibrateCpu();
  const report = await runInvocationBench({ rounds: 2, roundMs: 0, minRuns: 40, warmRuns: 300, coldRuns: 30 });
  const { warmMicroseconds: warm, coldMicroseconds: cold, coldSignedMicroseconds: signed } = report;
  return {
    "CPU of 1,000 runs on SQLite / fixed work": perThousand(report.durableCpuMicroseconds, fixedWork),
    "CPU of 1,000 runs in memory / fixed work": perThousand(report.memoryCpuMicroseconds, fixedWork),
    "warm run / message to a thread and back": warm.p10 / report.pingMicroseconds.p10,
    "cold run / warm run": cold.p10 / warm.p10,
    "cold run with HMAC / warm run": signed.p10 / warm.p10,
  };
}

/** CPU times relative to that of fixed work, durations relative to that of an empty process, a message or a similar operation. */
async function measureRatios(): Promise<Ratios> {
  const start = performance.now();
  let found: Ratios = {};
  for (const measure of [storageRatios, deliveryRatios, processRatios, invocationRatios])
    if (performance.now() - start < longestMs) found = { ...found, ...(await measure()) };
  return found;
}

/** Compares with `bench/baseline.json`, which `--update` writes. Warnings do not fail a build. */
export async function runShortBench(update: boolean): Promise<void> {
  const found = await measureRatios();
  console.log(`${machine()}; warns beyond ${tolerance} x the baseline`);
  if (update) {
    const rounded = Object.entries(found).map(([name, ratio]) => [name, Number(ratio.toFixed(3))]);
    writeFileSync(file, `${JSON.stringify(Object.fromEntries(rounded), undefined, 2)}\n`);
  }
  for (const line of compareRatios(found, JSON.parse(readFileSync(file, "utf8")) as Ratios)) console.log(line);
}
