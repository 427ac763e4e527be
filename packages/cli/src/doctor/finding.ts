/** `skipped`: it could not be found out, or was not asked for. */
export type FindingStatus = "ok" | "skipped" | "warning" | "problem";

/** What one check found. */
export interface Finding {
  readonly check: string;
  readonly status: FindingStatus;
  /** What is there, in a few words. */
  readonly found: string;
  /** What to do; of warnings and problems. */
  readonly advice?: string;
}

/** Makes the findings of a check. */
export interface Check {
  ok(found: string): Finding;
  skipped(found: string): Finding;
  /** A service works, but not for long or not for all. */
  warning(found: string, advice: string): Finding;
  /** A service does not start, or does not work. */
  problem(found: string, advice: string): Finding;
}

export const createCheck = (check: string): Check => ({
  ok: (found) => ({ check, status: "ok", found }),
  skipped: (found) => ({ check, status: "skipped", found }),
  warning: (found, advice) => ({ check, status: "warning", found, advice }),
  problem: (found, advice) => ({ check, status: "problem", found, advice }),
});

const order: readonly FindingStatus[] = ["ok", "skipped", "warning", "problem"];

export const worstOf = (findings: readonly Finding[]): FindingStatus =>
  order.findLast((status) => findings.some((finding) => finding.status === status)) ?? "ok";
