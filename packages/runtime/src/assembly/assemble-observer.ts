import type { RecentActivity, RuntimeStats } from "../api/observe-api.ts";
import type { RuntimeOptions } from "../api/options.ts";
import { monotonicMs, processorMs, type Logger, watchThread } from "@x/model";
import type { Observer } from "../observe/contract.ts";
import { createCounts } from "../observe/counts.ts";
import { createRecentMinutes } from "../observe/recent-minutes.ts";
import { createObserver } from "../observe/observer.ts";
import { createStats, type StatsParts } from "../observe/stats.ts";
import { checkMs, createThreadHolds } from "../observe/thread-holds.ts";
import { shownSource } from "../sources/source-record.ts";

export interface ObserverBase extends Omit<StatsParts, "counts" | "holds"> {
  readonly options: Pick<RuntimeOptions, "observe">;
  readonly logger: Logger;
  endpointUrl(key: string): string;
}

/** What counts the work of a runtime and calls the embedder's hooks. */
export interface Observing {
  readonly observer: Observer;
  /** Notices from then on when the main thread is held; returns what ends it. */
  watch(): () => void;
  stats(): Promise<RuntimeStats>;
  /** What a user's sources did in the last hours. */
  recentActivity(userId: string): RecentActivity;
}

export function assembleObserver(base: ObserverBase): Observing {
  const { options, logger, endpointUrl } = base;
  const counts = createCounts();
  const recent = createRecentMinutes(base.clock);
  const holds = createThreadHolds({ logger, now: monotonicMs, used: processorMs ?? monotonicMs });
  const observer = createObserver({
    observe: options.observe,
    counts,
    recent,
    logger,
    holds,
    shownSource: (source) => shownSource(source, endpointUrl),
  });
  return {
    observer,
    stats: createStats({ ...base, counts, holds }),
    recentActivity: recent.read,
    // Without the processor's time, a process that was paused would look like one that is held.
    watch: () => (processorMs ? holds.watch((check) => watchThread(check, checkMs)) : () => undefined),
  };
}
