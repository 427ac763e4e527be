/** Loads a service with everything at once for an hour, and prints what stays of it. */
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { killAll, takeHolds } from "../faults/service.child.ts";
import { quantile, quantiles } from "../quantiles.ts";
import { keptRows, runSoak, type SoakReport } from "./run-soak.ts";
import { middlesOf, slopeOf } from "./slope.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    neighbours: { type: "string", default: "10" },
    pace: { type: "string", default: "200" },
  },
});
const minutes = Number(values.minutes);
const megabyte = 1024 * 1024;
/** A sixth of the time fills caches. */
const warmShare = 1 / 6;
const longestTurnMs = 20_000;
const maxGrowth = 2;
const slowestApiMs = 50;
/** Rests of which the middle one counts: now and then, one still holds what a run left. */
const groupSize = 5;

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const mb = (bytes: number): string => (bytes / megabyte).toFixed(1);

/** What is judged: its name, whether it is as promised, and the figures. */
type Finding = readonly [name: string, good: boolean, figures: string];

/** Below this time the heap still grows: code is compiled, and caches of records fill up. */
const judgedMinutes = 30;
/** What may come on top until then, in MB. */
const maxAtFirst = { rss: 64, heap: 8 };

/** Fails for what grows beyond doubt; on a busy machine that is large growth only. */
function judgeGrowth(name: string, report: SoakReport, of: "rss" | "heap"): Finding {
  const warm = report.turns.filter(({ isWarm }) => isWarm).map((turn) => ({ at: turn.at, value: turn[of] / megabyte }));
  const middles = middlesOf(warm, groupSize);
  const slope = slopeOf(middles);
  const [first, last] = [middles[0], middles.at(-1)];
  if (!slope || !first || !last) return [name, minutes < judgedMinutes, "not judged: there are too few rests"];
  if (minutes < judgedMinutes) {
    const grown = last.value - first.value;
    const limit = maxAtFirst[of];
    return [
      name,
      grown <= limit,
      `${grown.toFixed(1)} MB more at the end (limit ${limit}); a slope needs ${judgedMinutes} minutes`,
    ];
  }
  const { perHour, error } = slope;
  const shown = (maxGrowth + 2 * error).toFixed(1);
  const figures = `${perHour.toFixed(2)} MB/h, standard error ${error.toFixed(2)}, ${warm.length} rests`;
  return [name, perHour - 2 * error <= maxGrowth, `${figures} (limit ${maxGrowth}; fails beyond ${shown})`];
}

function judge(report: SoakReport, holds: readonly string[]): readonly Finding[] {
  const [apiMs, { problems }] = [quantile(report.apiMs, 0.99), report];
  return [
    judgeGrowth("resident memory", report, "rss"),
    judgeGrowth("heap of the main thread", report, "heap"),
    ["nothing lost, nothing left behind", problems.length === 0, `${problems.length} problems`],
    ["the main thread was free", holds.length === 0, `${holds.length} times held`],
    ["p99 of the API", apiMs < slowestApiMs, `${apiMs.toFixed(1)} ms (limit ${slowestApiMs})`],
    ["orderly end", report.exitCode === 0, `exit code ${String(report.exitCode)}`],
  ];
}

const load = (): string => loadavg()[0]?.toFixed(1) ?? "";
const folder = await mkdtemp(join(tmpdir(), "x-soak-"));
try {
  print("minute  resident MB  collected  heap MB  requests  sources gone  load");
  const began = performance.now();
  const report = await runSoak({
    folder,
    data: join(folder, "data"),
    warmMs: minutes * 60_000 * warmShare,
    loadMs: minutes * 60_000 * (1 - warmShare),
    turnMs: Math.min(longestTurnMs, (minutes * 60_000) / 24),
    paceMs: Number(values.pace),
    neighbours: Number(values.neighbours),
    hostileEvery: 100,
    report({ at: time, before, rss, heap, isWarm, requests, lives }) {
      const cells = [((time - began) / 60_000).toFixed(1), mb(before), mb(rss), mb(heap), requests, lives, load()];
      print(
        cells.map((cell, index) => String(cell).padStart([6, 11, 9, 7, 8, 12, 4][index] ?? 0)).join("  ") +
          (isWarm ? "" : "  warming up"),
      );
    },
  });
  for (const [what, count] of Object.entries(report.counts)) print(`${String(count).padStart(10)} ${what}`);
  print(
    `reads of the API ms (median / p99 / longest): ${quantiles(report.apiMs)}; endpoints: ${quantiles(report.endpointMs)}`,
  );
  for (const [table, count] of Object.entries(report.after.rows))
    if (count > 0) print(`${String(count).padStart(10)} rows stay in ${table}: ${keptRows[table] ?? "LEFT BEHIND"}`);
  for (const what of ["descriptors", "threads"] as const)
    print(`${what} before and after: ${JSON.stringify(report.before[what])} ${JSON.stringify(report.after[what])}`);
  print(
    `resources before and after: ${JSON.stringify(report.resourcesBefore)} ${JSON.stringify(report.resourcesAfter)}`,
  );
  for (const problem of report.problems) print(`PROBLEM ${problem}`);
  const holds = takeHolds();
  for (const hold of holds) print(`PROBLEM ${hold}`);
  const findings = judge(report, holds);
  for (const [name, good, figures] of findings) print(`${good ? "PASS" : "FAIL"} ${name}: ${figures}`);
  process.exitCode = findings.every(([, good]) => good) ? 0 : 1;
} finally {
  await killAll().finally(() => rm(folder, { recursive: true, force: true }));
}
