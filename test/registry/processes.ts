import { readdirSync, readFileSync } from "node:fs";

export const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
};

/** The fields after the program's name in `/proc/PID/stat`; the name may contain spaces. */
export const statOf = (pid: number): string[] => read(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ") ?? [];

export const ticksPerSecond = 100;

/** Resources of a process and its descendants. */
export interface ProcessUse {
  /** Resident memory of the process itself. */
  readonly bytes: number;
  /** The peak so far. */
  readonly peakBytes: number;
  /** Of its living descendants. */
  readonly childrenBytes: number;
  /** Of all of them, a page that several share counted once. */
  readonly treeBytes: number;
  /** Of all of them, those that have ended included. */
  readonly cpuSeconds: number;
  readonly children: number;
}

/** A number in the lines of `/proc/PID/status`. */
export const numberIn = (status: string, field: string): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
const kilobytes = (status: string, field: string): number => 1024 * numberIn(status, field);

export function descendantsOf(root: number): number[] {
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), Number(statOf(Number(name))[1])] as const);
  const found = [root];
  for (const pid of found) found.push(...parents.filter(([, parent]) => parent === pid).map(([child]) => child));
  return found.slice(1);
}

/** Linux only. */
export function processUse(pid: number): ProcessUse {
  const status = read(`/proc/${pid}/status`);
  const children = descendantsOf(pid);
  const cpu = [pid, ...children].map((each) => {
    // User and system time, its own and that of ended children: fields 14 to 17.
    const times = statOf(each).slice(11, 15).map(Number);
    return times.reduce((sum, time) => sum + time, 0);
  });
  return {
    bytes: kilobytes(status, "VmRSS"),
    peakBytes: kilobytes(status, "VmHWM"),
    childrenBytes: children.reduce((sum, child) => sum + kilobytes(read(`/proc/${child}/status`), "VmRSS"), 0),
    cpuSeconds: cpu.reduce((sum, ticks) => sum + ticks, 0) / ticksPerSecond,
    treeBytes: [pid, ...children].reduce((sum, each) => sum + kilobytes(read(`/proc/${each}/smaps_rollup`), "Pss"), 0),
    children: children.length,
  };
}
