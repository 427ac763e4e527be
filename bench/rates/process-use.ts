import { readdirSync } from "node:fs";

import { descendantsOf, numberIn, read, statOf, ticksPerSecond } from "../../test/registry/processes.ts";

const tasksOf = (pid: number): string[] => {
  try {
    return readdirSync(`/proc/${pid}/task`).map((id) => `/proc/${pid}/task/${id}`);
  } catch {
    return [];
  }
};
/** User and system time. */
const cpuMsOf = (pid: number): number =>
  ((Number(statOf(pid)[11]) + Number(statOf(pid)[12])) * 1_000) / ticksPerSecond || 0;

/** What living processes have taken, of all their threads. */
export interface ProcessUse {
  readonly cpuMs: number;
  readonly residentMb: number;
  /** How often a thread waited, and was woken. */
  readonly wakeUps: number;
}

/** Of this process and those that it started; of these in steps of 10 ms. Linux only. */
export function readUse(): ProcessUse {
  const children = descendantsOf(process.pid);
  const pids = [process.pid, ...children];
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
  const { user, system } = process.cpuUsage();
  return {
    cpuMs: (user + system) / 1_000 + sum(children.map(cpuMsOf)),
    residentMb: sum(pids.map((pid) => numberIn(read(`/proc/${pid}/status`), "VmRSS"))) / 1_024,
    wakeUps: sum(pids.flatMap(tasksOf).map((task) => numberIn(read(`${task}/status`), "voluntary_ctxt_switches"))),
  };
}
