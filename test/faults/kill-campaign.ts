import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { runKillCampaign } from "./campaign.ts";
import { killAll } from "./service.child.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "200" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
  },
});
const longestMedianStartMs = 1_000;

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const data = await mkdtemp(join(tmpdir(), "x-kill-"));
print(`seed ${values.seed}`);
try {
  const found = await runKillCampaign({
    data,
    rounds: Number(values.rounds),
    seed: Number(values.seed),
    clients: 16,
    mostAcknowledged: 400,
    report: print,
  });
  const starts = found.startMs.toSorted((a, b) => a - b);
  const median = Math.round(starts[Math.floor(starts.length / 2)] ?? 0);
  for (const problem of found.problems) print(`PROBLEM ${problem}`);
  print(`${found.rounds} kills, ${found.acknowledged} acknowledged, ${found.runs} runs, ${found.events} events`);
  print(`start to healthy: median ${median} ms, slowest ${Math.round(starts.at(-1) ?? 0)} ms`);
  const good = found.problems.length === 0 && median <= longestMedianStartMs;
  print(good ? "PASS" : "FAIL");
  process.exitCode = good ? 0 : 1;
} finally {
  await killAll();
  await rm(data, { recursive: true, force: true });
}
