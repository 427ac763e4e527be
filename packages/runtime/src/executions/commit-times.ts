import { boundedCache } from "@x/model";

/**
 * How long the commits of recent executions took. An execution is stored in that commit, so its row cannot contain the
 * duration.
 */
export interface CommitTimes {
  add(executionId: string, ms: number): void;
  /** Null for older executions, and for those of a former process. */
  find(executionId: string): number | null;
}

const maxTimes = 20_000;

export function createCommitTimes(): CommitTimes {
  const times = boundedCache<number>(maxTimes);
  return {
    add: (executionId, ms) => times.set(executionId, Math.round(ms * 10) / 10),
    find: (executionId) => times.get(executionId) ?? null,
  };
}
