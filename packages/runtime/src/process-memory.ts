import { readFileSync } from "node:fs";

/** Resident memory of a process and its direct children; undefined where the system does not tell. */
export function findProcessMemory(processId: number): number | undefined {
  const own = residentBytes(processId);
  if (own === undefined) return undefined;
  const children = read(`/proc/${processId}/task/${processId}/children`)?.split(" ").filter(Boolean) ?? [];
  return children.reduce((sum, child) => sum + (residentBytes(Number(child)) ?? 0), own);
}

function residentBytes(processId: number): number | undefined {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${processId}/status`) ?? "")?.[1];
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
