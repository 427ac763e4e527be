import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { createEngine, createRuntime, type Runtime } from "@x/runtime";

import { deployAll, load, sourceCount } from "./at-once.ts";
import type { InvocationPlan } from "./invocation.ts";
import { machine, median } from "./machine.ts";

/** Invocations with and without stored executions, on SQLite. */
export interface ExecutionsReport {
  readonly stored: Rate;
  readonly none: Rate;
  /** The median of the ratios of neighbouring rounds, stored to none. */
  readonly ratio: number;
  readonly cpuRatio: number;
}

interface Rate {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
}

const rounds = 12;
const plan: InvocationPlan = { rounds, roundMs: 1_500, minRuns: 0, warmRuns: 0, coldRuns: 0 };

interface Side {
  readonly runtime: Runtime;
  readonly keys: readonly string[];
  readonly results: { perSecond: number; cpu: number }[];
}

async function open(folder: string, executionsPerSource: number): Promise<Side> {
  const engine = await createEngine({ limits: { executionsPerSource } });
  const runtime = await createRuntime({ data: folder, engine });
  const keys = await deployAll(runtime, sourceCount);
  // Until the rows of each source are trimmed.
  for (let round = 0; round < 3; round++) await load(runtime, keys, plan);
  return { runtime, keys, results: [] };
}

const rateOf = ({ results }: Side): Rate => ({
  perSecond: median(results.map(({ perSecond }) => perSecond)),
  cpuMicroseconds: median(results.map(({ cpu }) => cpu)),
});

/** Alternates, so that other work on the machine affects both. */
export async function runExecutionsBench(): Promise<ExecutionsReport> {
  const folder = mkdtempSync(join(tmpdir(), "x-bench-"));
  try {
    const stored = await open(join(folder, "stored"), 100);
    const none = await open(join(folder, "none"), 0);
    for (let round = 0; round < rounds; round++) {
      // The second of a pair may profit from the first.
      for (const side of round % 2 === 0 ? [stored, none] : [none, stored])
        side.results.push(await load(side.runtime, side.keys, plan));
    }
    await stored.runtime.close();
    await none.runtime.close();
    const ratios = (read: (result: Side["results"][number]) => number): number =>
      median(stored.results.map((result, round) => read(result) / read(none.results[round] ?? result)));
    return {
      stored: rateOf(stored),
      none: rateOf(none),
      ratio: ratios(({ perSecond }) => perSecond),
      cpuRatio: ratios(({ cpu }) => cpu),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const shown = ({ perSecond, cpuMicroseconds }: Rate): string =>
  `${perSecond.toFixed(0)}/s, ${cpuMicroseconds.toFixed(0)} us CPU each`;

/** The report as text for a terminal. */
export const formatExecutionsReport = ({ stored, none, ratio, cpuRatio }: ExecutionsReport): string =>
  [
    `Executions: ${sourceCount} sources at once on SQLite, request to commit; medians of ${rounds} alternating rounds`,
    `100 stored       ${shown(stored)}`,
    `none stored      ${shown(none)}`,
    `ratio            ${ratio.toFixed(3)} of the invocations per second, ${cpuRatio.toFixed(3)} of the CPU time`,
  ].join("\n");

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log(machine());
  console.log(formatExecutionsReport(await runExecutionsBench()));
}
