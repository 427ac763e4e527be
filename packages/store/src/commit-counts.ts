import { createBuckets, durationBounds, sizeBounds, type Histogram } from "@x/model";

/** The commits of a store. */
export interface CommitStats {
  readonly done: number;
  readonly failed: number;
  /** Commits in one transaction. */
  readonly batches: Histogram;
  /** Transactions, in milliseconds. */
  readonly batchMs: Histogram;
}

/** Counts the commits of a store. */
export interface CommitCounts {
  /** One transaction with so many commits, of which some failed. */
  add(commits: number, failed: number, durationMs: number): void;
  read(): CommitStats;
}

export function createCommitCounts(): CommitCounts {
  const batches = createBuckets(sizeBounds);
  const batchMs = createBuckets(durationBounds);
  let done = 0;
  let failed = 0;
  return {
    add(commits, failures, durationMs) {
      done += commits - failures;
      failed += failures;
      batches.add(commits);
      batchMs.add(durationMs);
    },
    read: () => ({ done, failed, batches: batches.read(), batchMs: batchMs.read() }),
  };
}
