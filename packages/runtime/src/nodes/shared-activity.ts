import { deserialize } from "node:v8";

import type { RecentActivity, RecentMinute } from "../api/observe-api.ts";
import type { Telling } from "./shared-connections.ts";

/** Two parts of one minute. The median is weighted by the runs; of the other durations the longer one counts. */
function joinMinutes(a: RecentMinute, b: RecentMinute): RecentMinute {
  const runs = a.runs + b.runs;
  return {
    at: a.at,
    runs,
    failed: a.failed + b.failed,
    emitted: a.emitted + b.emitted,
    dropped: a.dropped + b.dropped,
    computeMs: a.computeMs + b.computeMs,
    queuedMs: Math.max(a.queuedMs, b.queuedMs),
    p50Ms: runs === 0 ? 0 : (a.p50Ms * a.runs + b.p50Ms * b.runs) / runs,
    p95Ms: Math.max(a.p95Ms, b.p95Ms),
  };
}

/** What all nodes did, as one. */
export function joinActivity(first: RecentActivity, others: readonly RecentActivity[]): RecentActivity {
  const minutes = new Map<number, RecentMinute>();
  for (const minute of [first, ...others].flatMap((each) => each.minutes)) {
    const known = minutes.get(minute.at);
    minutes.set(minute.at, known ? joinMinutes(known, minute) : minute);
  }
  return {
    now: first.now,
    since: Math.min(first.since, ...others.map(({ since }) => since)),
    minutes: [...minutes.values()].sort((a, b) => a.at - b.at),
  };
}

/** The recent activity of a user on all nodes. */
export function createSharedActivity(
  own: (userId: string) => RecentActivity,
  { tell, onTold }: Telling,
): (userId: string) => Promise<RecentActivity> {
  const kind = "recent";
  onTold(kind, async (body) => own(deserialize(body) as string));
  return async (userId) => joinActivity(own(userId), (await tell(kind, userId)) as readonly RecentActivity[]);
}
