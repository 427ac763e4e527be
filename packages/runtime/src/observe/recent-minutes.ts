import type { RecentActivity, RecentMinute } from "../api/observe-api.ts";
import { durationBounds, type Clock } from "@x/model";
import type { CommittedRun, EndedCall } from "./contract.ts";

const minuteMs = 60_000;
const keptMinutes = 180;
/** Users whose minutes are kept; those who were quiet the longest are forgotten. */
const maxUsers = 1_000;

interface Minute {
  readonly at: number;
  runs: number;
  failed: number;
  emitted: number;
  dropped: number;
  computeMs: number;
  queuedMs: number;
  /** Runs by duration, as the bounds of durations. */
  readonly durations: Uint32Array;
}

/** Counts what each user's sources did, by minutes. */
export interface RecentMinutes {
  call(ended: EndedCall): void;
  run(committed: CommittedRun): void;
  read(userId: string): RecentActivity;
}

/** The duration that this share of runs does not exceed, about. */
function percentile(durations: Uint32Array, share: number): number {
  const all = durations.reduce((sum, count) => sum + count, 0);
  let left = share * all;
  for (const [index, count] of durations.entries()) {
    if (count > 0 && left <= count) {
      const from = durationBounds[index - 1] ?? 0;
      const to = durationBounds[index] ?? from;
      return from + ((to - from) * left) / count;
    }
    left -= count;
  }
  return 0;
}

const shown = (minute: Minute): RecentMinute => {
  const { durations, ...rest } = minute;
  return { ...rest, p50Ms: percentile(durations, 0.5), p95Ms: percentile(durations, 0.95) };
};

export function createRecentMinutes(clock: Pick<Clock, "now">): RecentMinutes {
  const since = clock.now();
  const users = new Map<string, Minute[]>();

  /** The present minute of a user. */
  function present(userId: string): Minute {
    const at = Math.floor(clock.now() / minuteMs) * minuteMs;
    const minutes = users.get(userId) ?? [];
    const last = minutes.at(-1);
    if (last?.at === at) return last;
    const durations = new Uint32Array(durationBounds.length + 1);
    const minute = { at, runs: 0, failed: 0, emitted: 0, dropped: 0, computeMs: 0, queuedMs: 0, durations };
    const kept = minutes.filter((each) => each.at > at - keptMinutes * minuteMs && each.at < at);
    // Put at the end: the first user has been quiet the longest.
    users.delete(userId);
    users.set(userId, [...kept, minute]);
    const [quiet] = users.keys();
    if (users.size > maxUsers && quiet !== undefined) users.delete(quiet);
    return minute;
  }

  return {
    call({ source, entry, execution, dropped }) {
      const minute = present(source.userId);
      minute.computeMs += execution.computeMs;
      minute.emitted += execution.emitted.length;
      minute.dropped += dropped.length;
      if (entry !== "run") return;
      minute.runs += 1;
      if (execution.status !== "ok") minute.failed += 1;
    },
    run({ source, queuedMs, sandboxMs }) {
      const minute = present(source.userId);
      minute.queuedMs = Math.max(minute.queuedMs, queuedMs);
      const bucket = durationBounds.findIndex((bound) => sandboxMs <= bound);
      const index = bucket === -1 ? durationBounds.length : bucket;
      minute.durations[index] = (minute.durations[index] ?? 0) + 1;
    },
    read(userId) {
      const now = clock.now();
      const from = now - keptMinutes * minuteMs;
      return { now, since, minutes: (users.get(userId) ?? []).filter(({ at }) => at > from).map(shown) };
    },
  };
}
