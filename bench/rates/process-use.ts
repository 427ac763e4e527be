import { readdirSync, readFileSync } from "node:fs";

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // It has ended.
    return "";
  }
};
const numberIn = (text: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1] ?? 0);
const tasksOf = (pid: number): string[] => {
  try {
    return readdirSync(`/proc/${pid}/task`).map((id) => `/proc/${pid}/task/${id}`);
  } catch {
    return [];
  }
};
/** The fields after the program's name, which may contain spaces. */
const statOf = (pid: number): string[] => read(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ") ?? [];
const ticksPerSecond = 100;
/** User and system time. */
const cpuMsOf = (pid: number): number =>
  ((Number(statOf(pid)[11]) + Number(statOf(pid)[12])) * 1_000) / ticksPerSecond || 0;

function descendantsOf(root: number): number[] {
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), Number(statOf(Number(name))[1])] as const);
  const found = [root];
  for (const pid of found) found.push(...parents.filter(([, parent]) => parent === pid).map(([child]) => child));
  return found.slice(1);
}

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
