import { expect, test } from "vitest";

import type { RunCall } from "./execution.ts";
import { ticksOf, waterfallOf } from "./waterfall.ts";

const call = (url: string, started_ms: number, duration_ms: number | null, status: number | null): RunCall => ({
  method: "GET",
  url,
  status,
  started_ms,
  duration_ms,
  request_bytes: 0,
  response_bytes: null,
  request_headers: {},
  response_headers: {},
});

test("the bars of a run are its queue, its call with requests and steps, and its commit", () => {
  const { totalMs, bars } = waterfallOf({
    status: "error",
    started_at: 1_000,
    ended_at: 1_101,
    phases: { queued_ms: 10, sandbox_ms: 100, commit_ms: 5 },
    steps: [
      { name: "first", started_ms: 0 },
      { name: "second", started_ms: 60 },
    ],
    calls: [call("https://a.test/late", 70, null, null), call("https://a.test/early", 5, 20, 200)],
  });
  expect(totalMs).toBe(115);
  expect(bars.map(({ label, startMs, ms, failed = false }) => [label, startMs, ms, failed])).toEqual([
    ["Queue", 0, 10, false],
    ["Run", 10, 100, true],
    ["first", 10, 60, false],
    ["GET https://a.test/early", 15, 20, false],
    ["second", 70, 40, true],
    ["GET https://a.test/late", 80, undefined, true],
    ["Commit", 110, 5, false],
  ]);
});

test("a run that did not wait and whose commit is unknown has one bar", () => {
  const phases = { queued_ms: 0, sandbox_ms: 0, commit_ms: null };
  const { totalMs, bars } = waterfallOf({ status: "ok", started_at: 0, ended_at: 0, phases, steps: [], calls: [] });
  expect(bars.map(({ label }) => label)).toEqual(["Run"]);
  expect(totalMs).toBeGreaterThan(0);
});

test("a wait for a thread comes before the run", () => {
  const phases = { queued_ms: 3, sandbox_ms: 8, commit_ms: 1 };
  const { totalMs, bars } = waterfallOf({ status: "ok", started_at: 50, ended_at: 80, phases, steps: [], calls: [] });
  expect(bars.map(({ label, startMs, ms }) => [label, startMs, ms])).toEqual([
    ["Queue", 0, 3],
    ["Thread", 3, 22],
    ["Run", 25, 8],
    ["Commit", 33, 1],
  ]);
  expect(totalMs).toBe(34);
});

test("the axis has at most five round times", () => {
  expect(ticksOf(115)).toEqual([0, 50, 100]);
  expect(ticksOf(0.8)).toEqual([0, 0.2, 0.4, 0.6, 0.8]);
  for (const total of [0.001, 1, 3.3, 17, 999, 12_345]) expect(ticksOf(total).length).toBeLessThanOrEqual(5);
});
