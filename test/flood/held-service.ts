import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { memoryOf } from "../faults/hostility.ts";
import { startService, type ServiceChild } from "../faults/service.child.ts";

const megabyte = 1024 * 1024;
const heapMegabytes = 1024;
/** Of the whole process: heap, threads, engine and buffers. */
const residentLimitBytes = 1536 * megabyte;
const watch = fileURLToPath(new URL("loop-watch.mjs", import.meta.url));

/** A service with a memory limit. */
export interface HeldService extends ServiceChild {
  /** Current resident bytes; 0 where the system does not report them. */
  resident(): number;
  /** Peak since the last call. */
  takePeak(): number;
  /** CPU time of each turn of the main thread's event loop since the last call, in milliseconds. */
  takeHolds(): number[];
}

const residentOf = (pid: number | undefined): number => memoryOf(pid, "VmRSS") ?? 0;

let started = 0;

export async function startHeldService(data: string, args: readonly string[], mayHold: boolean): Promise<HeldService> {
  const file = join(data, `loop-${(started += 1)}.jsonl`);
  const service = await startService(data, {
    args,
    mayHold,
    env: { NODE_OPTIONS: `--max-old-space-size=${heapMegabytes} --import ${watch}`, X_FLOOD_WATCH: file },
  });
  const { pid } = service.process;
  let peak = 0;
  let read = 0;
  const sampling = setInterval(() => {
    const now = residentOf(pid);
    peak = Math.max(peak, now);
    if (now > residentLimitBytes) service.process.kill("SIGKILL");
  }, 50);
  service.process.once("exit", () => clearInterval(sampling));
  return {
    ...service,
    resident: () => residentOf(pid),
    takePeak() {
      const taken = peak;
      peak = residentOf(pid);
      return taken;
    },
    takeHolds() {
      if (!existsSync(file)) return [];
      const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
      const fresh = lines.slice(read);
      read = lines.length;
      return fresh.flatMap((line) => (JSON.parse(line) as { holds: number[] }).holds);
    },
  };
}
