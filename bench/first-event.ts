import { spawn, spawnSync } from "node:child_process";
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
  /** Of `node -e 0`, in turns with the runs; median. */
  readonly bare: number;
}

const allRuns = 21;
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

function bareProcess(): number {
  const start = performance.now();
  spawnSync(process.execPath, ["-e", "0"]);
  return performance.now() - start;
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
    const bare: number[] = [];
    for (let run = 0; run < runs; run++) {
      times.push(await firstEvent(file));
      bare.push(bareProcess());
    }
    return {
      runs,
      median: median(times),
      shortest: Math.min(...times),
      longest: Math.max(...times),
      bare: median(bare),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const ms = (time: number): string => `${time.toFixed(0)} ms`;

export const formatFirstEventReport = ({ runs, median, shortest, longest, bare }: FirstEventReport): string =>
  `x run, process start to first event, ${runs} runs: median ${ms(median)} (${ms(shortest)} to ${ms(longest)}), ${(median / bare).toFixed(1)} x \`node -e 0\` (${ms(bare)})`;

if (import.meta.main) {
  console.log(machine());
  console.log(formatFirstEventReport(await runFirstEventBench()));
}
