/** Runs the floods in sequence, and prints the effect on neighbours and memory. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { killAll, takeHolds } from "../faults/service.child.ts";
import { quantile, quantiles } from "../quantiles.ts";
import type { Flood } from "./contract.ts";
import { floods } from "./floods.ts";
import { type FloodReport, type Phase, runFlood } from "./run-flood.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    neighbours: { type: "string", default: "50" },
    /** Only floods whose name contains this text. */
    only: { type: "string", default: "" },
    rest: { type: "string", default: "60" },
  },
});
const usualGoals = { share: 0.8, slowdown: Number.POSITIVE_INFINITY };
const megabyte = 1024 * 1024;
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const mb = (bytes: number): string => `${Math.round(bytes / megabyte)} MB`;

function describe(name: string, phase: Phase): void {
  print(
    `  ${name.padEnd(8)} ${phase.answersPerSecond.toFixed(1)} answers/s of neighbours, ms ${quantiles(phase.neighbourMs)}`,
  );
  print(`           probes ms ${quantiles(phase.probeMs)}, ${phase.failedProbes} failed; peak ${mb(phase.peakBytes)}`);
  print(`           own time of a turn ms ${quantiles(phase.holdMs)}`);
}

/** Violated limits of a report. */
function shortfalls(
  { calm, flooded, startBytes, restedBytes, restartMs, restartBytes, exitCode }: FloodReport,
  { goals: { share: minShare, slowdown: maxSlowdown } = usualGoals }: Flood,
): string[] {
  const share = flooded.answersPerSecond / calm.answersPerSecond;
  const holdMs = quantile(flooded.holdMs, 0.99);
  const slowdown = quantile(flooded.neighbourMs, 0.99) / quantile(calm.neighbourMs, 0.99);
  return [
    share < minShare ? `the neighbours had ${Math.round(share * 100)} % of their answers (${minShare * 100})` : "",
    slowdown > maxSlowdown ? `p99 of the neighbours grew to ${slowdown.toFixed(1)} times (${maxSlowdown})` : "",
    holdMs > 250 ? `p99 of the main thread's own time ${holdMs} ms (250)` : "",
    restedBytes - startBytes > 128 * megabyte ? `${mb(restedBytes - startBytes)} did not come back (128)` : "",
    restartMs > 2_000 ? `ready ${Math.round(restartMs)} ms after the restart (2000)` : "",
    restartBytes > 500 * megabyte ? `${mb(restartBytes)} after the restart (500)` : "",
    exitCode === 0 ? "" : `it ended with ${exitCode} (0)`,
  ].filter((text) => text !== "");
}

let failures = 0;
try {
  for (const flood of floods.filter((each) => each.name.includes(values.only))) {
    const { name, about } = flood;
    print(`${name}: ${about}`);
    const data = await mkdtemp(join(tmpdir(), "x-flood-"));
    try {
      const report = await runFlood({
        data,
        flood: name,
        share: 1,
        neighbours: Number(values.neighbours),
        paceMs: 500,
        calmMs: 60_000,
        floodMs: Number(values.minutes) * 60_000,
        restMs: Number(values.rest) * 1_000,
        worstMs: 15_000,
        runTimeout: "20s",
      });
      describe("calm", report.calm);
      describe("flooded", report.flooded);
      print(
        `  resident ${mb(report.startBytes)} before, ${mb(report.backlogBytes)} with its backlog, ${mb(report.restedBytes)} without`,
      );
      print(`  killed and started: ready after ${Math.round(report.restartMs)} ms, ${mb(report.restartBytes)}`);
      for (const problem of [...report.problems, ...takeHolds(), ...shortfalls(report, flood)]) {
        failures += 1;
        print(`  PROBLEM ${problem}`);
      }
    } catch (error) {
      failures += 1;
      print(`  PROBLEM ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      await killAll().finally(() => rm(data, { recursive: true, force: true }));
    }
  }
  print(failures === 0 ? "PASS" : "FAIL");
  process.exitCode = failures === 0 ? 0 : 1;
} finally {
  await killAll();
}
