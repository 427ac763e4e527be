import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";

import { heavyPrograms, hostilePrograms } from "../../packages/sandbox/src/hostile.cases.ts";
import { quantile } from "../quantiles.ts";
import { isExpectedEnd, memoryOf, runHostilePrograms } from "./hostility.ts";
import { killAll, startService, takeHolds } from "./service.child.ts";

const { values } = parseArgs({
  options: {
    deadline: { type: "string", default: "2000" },
    /** Only programs whose name contains this text. */
    only: { type: "string", default: "" },
    /** Seconds without calls before the memory that remains is measured. */
    rest: { type: "string", default: "60" },
  },
});
const deadlineMs = Number(values.deadline);
const graceMs = 250;
const programs = [...hostilePrograms, ...heavyPrograms].filter(({ what }) => what.includes(values.only));
const megabyte = 1024 * 1024;
/**
 * Beyond a service that has just started: its reserve thread and what threads keep for the next call are in it, and what
 * the programs before have left that is not returned to the system.
 */
const largestGrowthBytes = 400 * megabyte;
/** The same after the rest. */
const largestRemainderBytes = 128 * megabyte;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const data = await mkdtemp(join(tmpdir(), "x-hostile-"));
try {
  const args = ["--run-timeout", `${deadlineMs}ms`, "--memory", "48mb"];
  const service = await startService(data, { args });
  print(`${"program".padEnd(46)} end                       ms | /users/me n   p50   p99   max | +MB | neighbour`);
  let [wrong, late] = [0, 0];
  const found = await runHostilePrograms(service, programs, {
    pauseMs: 5,
    report(end) {
      const program = programs.find(({ what }) => what === end.what);
      const right = program !== undefined && isExpectedEnd(program, end);
      const inTime = end.durationMs <= deadlineMs + graceMs;
      wrong += right ? 0 : 1;
      late += inTime ? 0 : 1;
      const latencies = [0.5, 0.99, 1].map((share) => quantile(end.latenciesMs, share).toFixed(1).padStart(5));
      print(
        [
          end.what.padEnd(46),
          end.code.padEnd(22),
          String(Math.round(end.durationMs)).padStart(5),
          "|",
          String(end.latenciesMs.length).padStart(11),
          ...latencies,
          "|",
          String(Math.round((end.memoryGrowthBytes ?? 0) / megabyte)).padStart(4),
          "|",
          String(end.neighbourAnswers).padStart(5),
          right ? "" : "WRONG END",
          inTime ? "" : "LATE",
        ].join(" "),
      );
    },
  });
  const lost = found.acknowledged - found.counted;
  const growth = Math.max(...found.ends.map((end) => end.memoryGrowthBytes ?? 0));
  await pause(Number(values.rest) * 1_000);
  const remainder = (memoryOf(service.process.pid, "VmRSS") ?? 0) - (found.startBytes ?? 0);
  const alive = service.process.exitCode === null;
  print(`neighbour: ${found.acknowledged} answered, ${found.counted} counted; ${wrong} wrong ends, ${late} late`);
  print(`memory growth ${Math.round(growth / megabyte)} MB, of which ${Math.round(remainder / megabyte)} MB remain`);
  print(`the process ${alive ? "lives" : "is gone"}`);
  await service.kill("SIGTERM");
  const holds = takeHolds();
  for (const hold of holds) print(hold);
  const bounded = growth < largestGrowthBytes && remainder < largestRemainderBytes;
  const good = wrong === 0 && late === 0 && lost === 0 && bounded && alive && holds.length === 0;
  print(good ? "PASS" : "FAIL");
  process.exitCode = good ? 0 : 1;
} finally {
  await killAll().finally(() => rm(data, { recursive: true, force: true }));
}
