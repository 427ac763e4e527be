import { expect, test } from "vitest";

import { lastMinutes, totalOf } from "./activity.ts";

test("minutes without runs are quiet, and the present one is the last", () => {
  const busy = {
    at_ms: 120_000,
    runs: 3,
    failed: 1,
    emitted: 2,
    dropped: 0,
    compute_ms: 5,
    queued_ms: 1,
    p50_ms: 2,
    p95_ms: 4,
  };
  const minutes = lastMinutes({ now_ms: 200_000, since_ms: 0, minutes: [busy] }, 3);
  expect(minutes.map(({ at_ms, runs }) => [at_ms, runs])).toEqual([
    [60_000, 0],
    [120_000, 3],
    [180_000, 0],
  ]);
  expect(totalOf(minutes)).toEqual({ runs: 3, failed: 1, emitted: 2, dropped: 0, compute_ms: 5 });
});
