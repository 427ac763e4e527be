import { createHash } from "node:crypto";
import { execFile } from "node:child_process";
import { performance } from "node:perf_hooks";
import { promisify } from "node:util";

import { median } from "./machine.ts";

const samples = 7;

/** Fixed work similar to that of the runtime: JSON, maps, hashes. */
function work(): number {
  const seen = new Map<string, unknown>();
  for (let n = 0; n < 4_000; n += 1) {
    const text = JSON.stringify({
      id: `item-${n}`,
      title: "An event",
      values: [n, n + 1, n + 2],
      body: "x".repeat(200),
    });
    seen.set(createHash("sha256").update(text).digest("hex"), JSON.parse(text));
  }
  return seen.size;
}

function workCpu(): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** CPU of the fixed work on this machine, µs. */
export function calibrateCpu(): number {
  work();
  return median(Array.from({ length: samples }, workCpu));
}

/** The shortest duration of an empty Node process, ms. */
export async function calibrateProcess(): Promise<number> {
  const times: number[] = [];
  for (let sample = 0; sample <= samples; sample += 1) {
    const start = performance.now();
    await promisify(execFile)(process.execPath, ["-e", "0"]);
    if (sample > 0) times.push(performance.now() - start);
  }
  return Math.min(...times);
}
