import { expect, test } from "vitest";

import { dueUntil, parseSpan } from "./due.ts";

test("ticks and attempts up to the end are due, the first first", () => {
  const every = { timer: { cron: null, interval_seconds: 60 } };
  const sources = [
    { id: "dc_1", name: "often", configured_props: every, state: { next_tick_at_ms: 60_000 } },
    {
      id: "dc_2",
      name: "cron",
      configured_props: { timer: { cron: "* * * * *" } },
      state: { next_tick_at_ms: 30_000 },
    },
    { id: "dc_3", name: "later", state: { next_tick_at_ms: 600_001 } },
    { id: "dc_4", name: "never", state: { next_tick_at_ms: null } },
  ];
  const deliveries = [
    { webhook_id: "wh_1", next_attempt_at: 45 },
    { webhook_id: "wh_1", next_attempt_at: null },
    { webhook_id: "wh_1", next_attempt_at: 601 },
  ];
  const due = dueUntil(600_000, sources, deliveries, () => "Archive");
  expect(due.map(({ at, name, times }) => [at, name, times])).toEqual([
    [30_000, "cron", 1],
    [45_000, "Archive", 1],
    [60_000, "often", 10],
  ]);
});

test("a span is read from text", () => {
  expect(["90s", "1h 30m", "2 d", "1.5m", "250ms"].map(parseSpan)).toEqual([
    90_000, 5_400_000, 172_800_000, 90_000, 250,
  ]);
  for (const wrong of ["", "5", "m", "1 week", "-5m"]) expect(parseSpan(wrong)).toBeUndefined();
});
