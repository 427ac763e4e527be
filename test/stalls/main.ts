/** Measures every input of the class, then sends large random requests to a service. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { killAll } from "../faults/service.child.ts";
import { describeHold } from "../faults/thread-holds.ts";
import { runLargeRequests } from "./run-requests.ts";
import { printTable } from "./table.ts";

const { values } = parseArgs({
  options: {
    /** Only inputs whose id contains this text. */
    only: { type: "string", default: "" },
    requests: { type: "string", default: "1000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const [count, seed] = [Number(values.requests), Number(values.seed)];

const problems = [...(await printTable(values.only, print))];
const data = await mkdtemp(join(tmpdir(), "x-stalls-"));
try {
  print(`\n${count} requests as large as the OpenAPI document allows, with --seed ${seed}`);
  const report = await runLargeRequests({ data, count, seed, report: print });
  print(`answers: ${JSON.stringify(report.statuses)}; the largest body: ${report.largestBody} characters`);
  problems.push(...report.failures, ...report.holds.map((hold) => `${describeHold(hold)}; ${hold.after}`));
} finally {
  await killAll().finally(() => rm(data, { recursive: true, force: true }));
}
for (const problem of problems) print(`PROBLEM ${problem}`);
print(problems.length === 0 ? "PASS" : "FAIL");
process.exitCode = problems.length === 0 ? 0 : 1;
