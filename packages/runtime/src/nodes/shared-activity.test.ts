import { expect, test } from "vitest";

import type { RecentMinute } from "../api/observe-api.ts";
import { joinActivity } from "./shared-activity.ts";

const minute = (at: number, runs: number, more: Partial<RecentMinute> = {}): RecentMinute => ({
  at,
  runs,
  failed: 0,
  emitted: 0,
  dropped: 0,
  computeMs: 1,
  queuedMs: 0,
  p50Ms: 10,
  p95Ms: 20,
  ...more,
});

test("the minutes of all nodes are added, in their order; of durations the median is weighted", () => {
  const joined = joinActivity({ now: 9, since: 5, minutes: [minute(2, 1, { p50Ms: 40 }), minute(3, 2)] }, [
    { now: 8, since: 4, minutes: [minute(1, 1), minute(2, 3, { failed: 1, queuedMs: 7, p95Ms: 90 })] },
  ]);
  expect([joined.now, joined.since, joined.minutes.map(({ at, runs }) => [at, runs])]).toEqual([
    9,
    4,
    [
      [1, 1],
      [2, 4],
      [3, 2],
    ],
  ]);
  expect(joined.minutes[1]).toEqual(minute(2, 4, { failed: 1, computeMs: 2, queuedMs: 7, p50Ms: 17.5, p95Ms: 90 }));
});
