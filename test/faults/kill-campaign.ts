import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { runKillCampaign } from "./campaign.ts";
import { killAll, takeHolds } from "./service.child.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "1000" },
    minutes: { type: "string", default: "Infinity" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
  },
});
const longestMedianStartMs = 1_500;

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const folder = await mkdtemp(join(tmpdir(), "x-kill-"));
print(`seed ${values.seed}`);
try {
  const found = await runKillCampaign({
    folder,
    kills: Number(values.kills),
    minutes: Number(values.minutes),
    seed: Number(values.seed),
    clients: 16,
    maxAcknowledged: 200,
    report: print,
  });
  const starts = found.startMs.toSorted((a, b) => a - b);
  const median = Math.round(starts[Math.floor(starts.length / 2)] ?? 0);
  print(`${found.problems.length} problems`);
  const { kills, changes } = found;
  print(
    `kills: ${kills.load} under load, ${kills.alone} while requests came one by one, ${kills.start} in starts, ${kills.rotate} in rotations of the secret key, ${kills.older} in upgrades of older folders`,
  );
  print(`${found.acknowledged} requests acknowledged, ${found.runs} runs, ${found.events} events`);
  print(
    `${changes.acknowledged} changes of sources acknowledged, ${changes.cutOff} cut off, ${changes.undone} of these as before; ${found.hooks} hooks`,
  );
  print(`start to healthy: median ${median} ms, slowest ${Math.round(starts.at(-1) ?? 0)} ms`);
  const holds = takeHolds();
  for (const hold of holds) print(hold);
  const good = found.problems.length === 0 && holds.length === 0 && median <= longestMedianStartMs;
  print(good ? "PASS" : "FAIL");
  process.exitCode = good ? 0 : 1;
} finally {
  await killAll().finally(() => rm(folder, { recursive: true, force: true }));
}
