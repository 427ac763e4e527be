import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";

import { machine, median } from "./machine.ts";

/** From the start of `x run FILE` to its first printed event. */
export interface FirstEventReport {
  readonly runs: number;
  readonly median: number;
  readonly shortest: number;
  readonly longest: number;
}

const allRuns = 11;
/** The installed program. */
const main = fileURLToPath(new URL("../packages/cli/dist/main.js", import.meta.url));
const component = `export default { name: "First", version: "0.1.0", run() { this.$emit({ first: true }); } };\n`;

async function firstEvent(file: string): Promise<number> {
  const start = performance.now();
  const x = spawn(process.execPath, [main, "run", file], { stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  let seenAt: number | undefined;
  x.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
    if (printed.includes('{"first":true}')) seenAt ??= performance.now();
  });
  await once(x, "close");
  if (seenAt === undefined) throw new Error(`x run printed no event:\n${printed}`);
  return seenAt - start;
}

/** Ignores the first run, which fills the caches of the system. */
export async function runFirstEventBench(runs = allRuns): Promise<FirstEventReport> {
  if (!existsSync(main)) throw new Error("The CLI is not built.");
  const folder = mkdtempSync(join(tmpdir(), "x-first-event-"));
  try {
    const file = join(folder, "first.js");
    writeFileSync(file, component);
    await firstEvent(file);
    const times: number[] = [];
    for (let run = 0; run < runs; run++) times.push(await firstEvent(file));
    return { runs, median: median(times), shortest: Math.min(...times), longest: Math.max(...times) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const ms = (time: number): string => `${time.toFixed(0)} ms`;

export const formatFirstEventReport = ({ runs, median, shortest, longest }: FirstEventReport): string =>
  `x run, process start to first event, ${runs} runs: median ${ms(median)} (${ms(shortest)} to ${ms(longest)})`;

if (import.meta.main) {
  console.log(machine());
  console.log(formatFirstEventReport(await runFirstEventBench()));
}
