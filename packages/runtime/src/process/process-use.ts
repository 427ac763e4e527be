import { readFileSync } from "node:fs";

/** What a process and its direct children take together. */
export interface ProcessUse {
  /** Resident memory. */
  readonly memoryBytes: number;
  /** Time of processors since their start. */
  readonly cpuMs: number;
}

/** Linux counts in hundredths of a second, on every machine that Node runs on. */
const tickMs = 10;

/** Undefined where the system does not tell. */
export function findProcessUse(processId: number): ProcessUse | undefined {
  const own = useOf(processId);
  if (own === undefined) return undefined;
  const children = read(`/proc/${processId}/task/${processId}/children`)?.split(" ").filter(Boolean) ?? [];
  return children
    .flatMap((child) => useOf(Number(child)) ?? [])
    .reduce((sum, use) => ({ memoryBytes: sum.memoryBytes + use.memoryBytes, cpuMs: sum.cpuMs + use.cpuMs }), own);
}

function useOf(processId: number): ProcessUse | undefined {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${processId}/status`) ?? "")?.[1];
  // The name before may hold anything; the times are the twelfth and thirteenth field after it.
  const fields = read(`/proc/${processId}/stat`)?.split(") ").at(-1)?.split(" ") ?? [];
  const ticks = Number(fields[11]) + Number(fields[12]);
  if (kibibytes === undefined || Number.isNaN(ticks)) return undefined;
  return { memoryBytes: Number(kibibytes) * 1024, cpuMs: ticks * tickMs };
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
