import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { killAll, takeHolds } from "../faults/service.child.ts";
import { runRotationCampaign } from "./rotation-campaign.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "100" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
    strict: { type: "boolean", default: false },
  },
});

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const folder = await mkdtemp(join(tmpdir(), "x-rotation-"));
print(`seed ${values.seed}`);
try {
  const { rounds, renewals, cut, runs, lost, ...found } = await runRotationCampaign({
    folder,
    rounds: Number(values.rounds),
    seed: Number(values.seed),
    isLenient: !values.strict,
    report: print,
  });
  const problems = [...found.problems, ...takeHolds()];
  for (const problem of problems) print(problem);
  print(
    `${rounds} kills, ${cut} of them between a grant and the end of its runs; ${renewals} renewals, ${runs} runs afterwards`,
  );
  print(`${lost} accounts had to be connected again`);
  print(problems.length === 0 ? "PASS" : "FAIL");
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await killAll().finally(() => rm(folder, { recursive: true, force: true }));
}
