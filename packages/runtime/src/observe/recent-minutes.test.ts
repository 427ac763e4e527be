import { expect, it } from "vitest";

import { createRecentMinutes, type RecentMinutes } from "./recent-minutes.ts";

const minuteMs = 60_000;

interface Trial {
  readonly minutes: RecentMinutes;
  run(userId: string, status: string, sandboxMs: number, queuedMs?: number): void;
  at(ms: number): void;
}

function open(): Trial {
  let now = 0;
  const minutes = createRecentMinutes({ now: () => now });
  return {
    minutes,
    at: (ms) => void (now = ms),
    run(userId, status, sandboxMs, queuedMs = 0) {
      const source = { userId };
      const execution = { status, computeMs: 2, emitted: [1, 2] };
      minutes.call({ source, entry: "run", execution, dropped: [1] } as unknown as Parameters<
        RecentMinutes["call"]
      >[0]);
      minutes.run({ source, queuedMs, sandboxMs } as unknown as Parameters<RecentMinutes["run"]>[0]);
    },
  };
}

it("counts the runs of each user by minutes", () => {
  const { minutes, run, at } = open();
  for (const ms of [1, 1, 1, 400]) run("u_1", "ok", ms, ms);
  run("u_2", "error", 3);
  at(minuteMs + 5);
  run("u_1", "timeout", 1);
  const { now, since, minutes: read } = minutes.read("u_1");
  expect([now, since]).toEqual([minuteMs + 5, 0]);
  expect(read).toMatchObject([
    { at: 0, runs: 4, failed: 0, emitted: 8, dropped: 4, computeMs: 8, queuedMs: 400 },
    { at: minuteMs, runs: 1, failed: 1 },
  ]);
  expect(read[0]?.p50Ms).toBeLessThanOrEqual(1);
  expect(read[0]?.p95Ms).toBeGreaterThan(250);
  expect(minutes.read("u_2").minutes).toMatchObject([{ runs: 1, failed: 1, queuedMs: 0 }]);
  expect(minutes.read("u_3").minutes).toEqual([]);
});

it("forgets minutes after three hours, and the quietest of very many users", () => {
  const { minutes, run, at } = open();
  run("u_first", "ok", 1);
  for (let count = 0; count < 1_000; count += 1) run(`u_${count}`, "ok", 400_000);
  expect(minutes.read("u_first").minutes).toEqual([]);
  expect(minutes.read("u_0").minutes).toHaveLength(1);
  at(180 * minuteMs);
  expect(minutes.read("u_0").minutes).toEqual([]);
  run("u_0", "ok", 1);
  expect(minutes.read("u_0").minutes).toHaveLength(1);
});
