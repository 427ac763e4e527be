import type { GuestLog } from "@x/sandbox";

/** The last log records of one call. */
export interface LastLogs {
  add(log: GuestLog): void;
  clear(): void;
  /** The kept records, and a warning with the number of dropped ones. `lost` were dropped by the sandbox. */
  records(lost: number): GuestLog[];
}

export function createLastLogs(keep: number): LastLogs {
  let kept: GuestLog[] = [];
  let dropped = 0;
  const trim = (): void => {
    dropped += Math.max(0, kept.length - keep);
    kept = kept.slice(Math.max(0, kept.length - keep));
  };
  return {
    add(log) {
      kept.push(log);
      // Not at every record: that would take quadratic time.
      if (kept.length > 2 * keep) trim();
    },
    clear() {
      kept = [];
      dropped = 0;
    },
    records(lost) {
      trim();
      const missing = dropped + lost;
      if (missing === 0) return [...kept];
      const msg = `${missing} log records of this run were dropped: the last ${keep} are kept`;
      return [...kept, { level: "warn", msg, data: "[]", at: kept.at(-1)?.at ?? 0 }];
    },
  };
}
