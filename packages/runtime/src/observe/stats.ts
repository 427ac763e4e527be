import type { RuntimeStats } from "../api/observe-api.ts";
import type { Clock } from "@x/model";
import type { Counts } from "./contract.ts";
import type { ThreadHolds } from "./thread-holds.ts";

export interface StatsParts {
  readonly counts: Counts;
  readonly backlog: { depth(): RuntimeStats["queue"] };
  readonly store: {
    commitStats(): RuntimeStats["commits"];
    pendingDeliveries(): Promise<{ readonly count: number; readonly oldestAt: number | undefined }>;
  };
  readonly sandbox: { stats(): RuntimeStats["sandbox"] };
  readonly clock: Pick<Clock, "now">;
  readonly holds: Pick<ThreadHolds, "count">;
}

/** Reads the counts of a runtime and what is waiting; nothing is computed before. */
export function createStats({
  counts,
  backlog,
  store,
  sandbox,
  clock,
  holds,
}: StatsParts): () => Promise<RuntimeStats> {
  return async () => {
    const { count, oldestAt } = await store.pendingDeliveries();
    const { deliveries, ...counted } = counts.read();
    const oldestMs = oldestAt === undefined ? 0 : Math.max(0, clock.now() - oldestAt);
    return {
      ...counted,
      queue: backlog.depth(),
      deliveries: { ...deliveries, pending: count, oldestMs },
      commits: store.commitStats(),
      sandbox: sandbox.stats(),
      threadHolds: holds.count,
    };
  };
}
