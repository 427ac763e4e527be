/** Times of a cluster, in ms. */
export interface Timing {
  /** A node shows this often that it lives, and looks after the others. */
  readonly beatMs: number;
  /** A node whose last beat is older is dead, even if its connections are there: it is frozen, or cannot be reached. */
  readonly leaseMs: number;
  /** A node whose lock is free may return for so long after its last beat. */
  readonly graceMs: number;
  /** After a restart of the server, all locks are free for so long. */
  readonly restartMs: number;
  /** What notifications announce is looked for this often without them. */
  readonly pollMs: number;
  /** A node that has taken part for so long gets sources that run; before, it answers requests and gets the others. */
  readonly readyMs: number;
}

export const defaultTiming: Timing = {
  beatMs: 100,
  leaseMs: 5_000,
  graceMs: 150,
  restartMs: 3_000,
  pollMs: 1_000,
  readyMs: 1_500,
};
