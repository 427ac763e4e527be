/** `npm run soak:cluster`: faults of every kind on three services with one PostgreSQL under load. */
import { parseArgs } from "node:util";

import { type CampaignReport, type Fault, runClusterCampaign, terminationsPerRound } from "./campaign.ts";
import { missingBinaries } from "./private-postgres.ts";
import { quantile } from "../quantiles.ts";
import type { Silence } from "./silence.ts";

const { values } = parseArgs({
  options: {
    nodes: { type: "string", default: "3" },
    sources: { type: "string", default: "60" },
    kills: { type: "string", default: "100" },
    stops: { type: "string", default: "30" },
    restarts: { type: "string", default: "20" },
    terminations: { type: "string", default: "100" },
    cuts: { type: "string", default: "20" },
    rolls: { type: "string", default: "3" },
    pace: { type: "string", default: "500" },
    frozen: { type: "string", default: "8000" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
  },
});
/** Of the lease that a node's heartbeat renews. */
const leaseMs = 5_000;
/** Longest silences that are allowed: 95 % after a kill, all others. */
const limits: { readonly [fault in Fault]?: { readonly share: number; readonly ms: number } } = {
  kill: { share: 0.95, ms: 1_000 },
  stop: { share: 1, ms: leaseMs + 1_000 },
  roll: { share: 1, ms: 1_000 },
};

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const describe = (silences: readonly Silence[]): string => {
  const ms = silences.map((silence) => silence.ms);
  return `${[0.5, 0.95, 1].map((share) => Math.round(quantile(ms, share))).join(" / ")} ms of ${ms.length} sources`;
};

function findShortfalls(found: CampaignReport): string[] {
  const late = (Object.entries(limits) as [Fault, { share: number; ms: number }][]).flatMap(
    ([fault, { share, ms }]) => {
      const reached = quantile(
        found.silences[fault].map((silence) => silence.ms),
        share,
      );
      return reached > ms ? [`silence after ${fault}: ${Math.round(reached)} ms (${ms})`] : [];
    },
  );
  return found.rollFailures.length === 0
    ? late
    : [...late, `${found.rollFailures.length} requests failed during rolling restarts`];
}

function printReport(found: CampaignReport): void {
  const { rounds } = found;
  print(
    `${rounds.kill} kills, ${rounds.stop} freezes, ${rounds.restart} restarts of PostgreSQL, ${rounds.terminate * terminationsPerRound} terminations of connections, ${rounds.cut} cuts, ${rounds.roll} rolling restarts in ${found.minutes.toFixed(1)} minutes`,
  );
  print(
    `${found.acknowledged} requests acknowledged, ${found.events} events, ${found.deliveries} deliveries (${found.repeatedDeliveries} repeated)`,
  );
  print(
    `${found.unanswered} attempts ran without an answer, ${found.refusedRuns} runs were refused, streams resumed ${found.resumedStreams} times`,
  );
  print("longest silence of a source beyond its interval, median / 95 % / longest:");
  print(`  without faults   ${describe(found.calm)}`);
  for (const [fault, silences] of Object.entries(found.silences)) {
    if (silences.length > 0) print(`  ${fault.padEnd(16)} ${describe(silences)}`);
  }
  print(
    `failed requests during rolling restarts: ${found.rollFailures.length} ${found.rollFailures.slice(0, 5).join("; ")}`,
  );
}

// The services and PostgreSQL end with this process.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

if (missingBinaries() === undefined) {
  print(`seed ${values.seed}`);
  const found = await runClusterCampaign({
    nodes: Number(values.nodes),
    sources: Number(values.sources),
    paceMs: Number(values.pace),
    frozenMs: Number(values.frozen),
    seed: Number(values.seed),
    rounds: {
      kill: Number(values.kills),
      stop: Number(values.stops),
      restart: Number(values.restarts),
      terminate: Math.ceil(Number(values.terminations) / terminationsPerRound),
      cut: Number(values.cuts),
      roll: Number(values.rolls),
    },
    report: print,
  });
  printReport(found);
  const shortfalls = [...findShortfalls(found), ...found.holds];
  for (const shortfall of shortfalls) print(`SHORTFALL ${shortfall}`);
  print(`${found.problems.length} problems`);
  print(found.problems.length === 0 && shortfalls.length === 0 ? "PASS" : "FAIL");
  process.exitCode = found.problems.length === 0 && shortfalls.length === 0 ? 0 : 1;
}
