/** Replays the writes of a service up to thousands of power failures. */
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { killAll, takeHolds } from "../faults/service.child.ts";
import { missingTools } from "./recording.ts";
import { runPower } from "./run-power.ts";

const { values } = parseArgs({
  options: {
    /** Load of each of the three services. */
    seconds: { type: "string", default: "5" },
    states: { type: "string", default: "2000" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
  },
});
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const missing = missingTools();
if (missing !== undefined) {
  print(`Cannot record: ${missing}`);
  process.exit(1);
}
const folder = await realpath(await mkdtemp(join(tmpdir(), "x-power-")));
print(`seed ${values.seed}`);
try {
  const { states, ...found } = await runPower({
    folder,
    loadMs: Number(values.seconds) * 1_000,
    states: Number(values.states),
    seed: Number(values.seed),
    report: print,
  });
  print(
    `power failures: ${states.flushed} with what was flushed alone, ${states.torn} with torn writes, ${states.all} with all`,
  );
  const holds = takeHolds();
  for (const hold of holds) print(hold);
  const problems = [...found.problems, ...holds];
  print(`${problems.length} problems`);
  print(problems.length === 0 ? "PASS" : "FAIL");
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await killAll().finally(() => rm(folder, { recursive: true, force: true }));
}
// The engine's threads would keep the process.
process.exit();
