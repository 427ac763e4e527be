import type { ExecutionSummary } from "@x/client";

type Failed = Pick<ExecutionSummary, "execution_id" | "entry" | "replay_of">;

/**
 * The runs to replay of failed ones, which are given newest first: oldest first, without hooks, and each event once, although
 * its replays failed too.
 */
export function runsToReplay<Run extends Failed>(failed: readonly Run[]): Run[] {
  const replayed = new Set<string>();
  const found: Run[] = [];
  for (const run of failed) {
    if (run.replay_of !== null) replayed.add(run.replay_of);
    if (run.entry === "run" && !replayed.has(run.execution_id)) found.push(run);
  }
  return found.toReversed();
}
