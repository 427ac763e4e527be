import { describe, expect, it } from "vitest";

import type { TimerValue } from "../../../model/src/model.ts";
import {
  firstTick,
  isLeftBehind,
  isSameSchedule,
  nextTick,
  tickAfterStep,
  tickAfterUpdate,
  timerEvent,
} from "./timer.ts";

const minute: TimerValue = { cron: null, interval_seconds: 60 };
const workdays: TimerValue = { cron: "0 9 * * 1-5", interval_seconds: 0 };
const now = Date.parse("2026-11-20T08:00:00.250Z");

describe("a clock that is set", () => {
  const hour = 3_600_000;
  const at = Date.parse("2026-11-20T09:00:00Z");

  it("shifts the ticks of an interval, and keeps those of a cron", () => {
    const moved = { at: at - hour, lastAt: at - 2 * hour };
    expect(tickAfterStep(minute, moved, -hour, now - hour)).toBe(moved);
    expect(tickAfterStep(workdays, { at: at + hour, lastAt: now + hour }, hour, now + hour)).toEqual({
      at,
      lastAt: now,
    });
  });

  it("repeats a cron tick whose time comes again", () => {
    const next = at + 3 * 24 * hour;
    expect(tickAfterStep(workdays, { at: next - 2 * hour, lastAt: at - 2 * hour }, -2 * hour, at - hour)).toEqual({
      at,
      lastAt: at,
    });
  });

  it("detects a timer whose previous tick is in the future", () => {
    const tick = { at: now + 60_000, lastAt: now };
    expect([now + 1, now - 1].map((time) => isLeftBehind(tick, time))).toEqual([false, true]);
    expect(isLeftBehind({ at: now + 60_000, lastAt: now + 60_000 }, now)).toBe(false);
  });
});

describe("ticks", () => {
  it("G39 fires first one interval after the deploy, or at the next cron match", () => {
    expect(firstTick(minute, now)).toEqual({ at: now + 60_000, lastAt: now });
    expect(firstTick(workdays, now)).toEqual({ at: Date.parse("2026-11-20T09:00:00Z"), lastAt: now });
  });

  it("4.7 does not drift: the next tick counts from the scheduled time, however late the tick ran", () => {
    let tick = firstTick(minute, now);
    for (let count = 1; count <= 500; count++) {
      const scheduled: number = tick?.at ?? 0;
      expect(scheduled).toBe(now + count * 60_000);
      tick = nextTick(minute, scheduled, scheduled + (count % 60) * 999);
    }
  });

  it("G41 catches up once after a downtime, then returns to the grid", () => {
    const overdue = now + 60_000;
    const back = nextTick(minute, overdue, overdue + 10 * 60_000 + 5_000);
    expect(back).toEqual({ at: overdue + 11 * 60_000, lastAt: overdue });
    const friday = Date.parse("2026-11-20T09:00:00Z");
    expect(nextTick(workdays, friday, friday + 5 * 24 * 3_600_000)).toEqual({
      at: Date.parse("2026-11-26T09:00:00Z"),
      lastAt: friday,
    });
  });

  it("returns a future tick when the next one is due now", () => {
    expect(nextTick(minute, now, now + 60_000)?.at).toBe(now + 120_000);
  });

  it("does not repeat a tick when the clock went back", () => {
    expect(nextTick(minute, now, now - 3_600_000)?.at).toBe(now + 60_000);
    const friday = Date.parse("2026-11-20T09:00:00Z");
    expect(nextTick(workdays, friday, friday - 60_000)?.at).toBe(Date.parse("2026-11-23T09:00:00Z"));
  });

  it("G42 keeps intervals beyond 2^31 ms exact", () => {
    const year: TimerValue = { cron: null, interval_seconds: 365 * 86_400 };
    expect(firstTick(year, now)?.at).toBe(now + 365 * 86_400_000);
  });

  it("ends a cron that never matches", () => {
    expect(firstTick({ cron: "0 0 31 2 *", interval_seconds: 0 }, now)).toBeUndefined();
  });
});

describe("updates", () => {
  const previous = { timer: minute, next: { at: now + 1_000, lastAt: now - 59_000 } };

  it("G39 keeps the countdown when the schedule is unchanged", () => {
    expect(tickAfterUpdate(previous, { cron: null, interval_seconds: 60 }, now)).toEqual(previous.next);
  });

  it("restarts when the schedule changed or is new", () => {
    expect(tickAfterUpdate(previous, { cron: null, interval_seconds: 30 }, now)?.at).toBe(now + 30_000);
    expect(tickAfterUpdate(undefined, minute, now)?.at).toBe(now + 60_000);
    expect(tickAfterUpdate(previous, workdays, now)?.at).toBe(Date.parse("2026-11-20T09:00:00Z"));
  });

  it("the default time zone is UTC", () => {
    expect(isSameSchedule(workdays, { ...workdays, timezone: "UTC" })).toBe(true);
    expect(isSameSchedule(workdays, { ...workdays, timezone: "Europe/Berlin" })).toBe(false);
    expect(isSameSchedule(workdays, { ...workdays, cron: "0 8 * * 1-5" })).toBe(false);
    expect(isSameSchedule(workdays, minute)).toBe(false);
  });
});

describe("timerEvent", () => {
  it("R057 and G42 carry the scheduled time in whole seconds and the interval", () => {
    expect(timerEvent(minute, 1_795_190_500_999, 0)).toEqual({ timestamp: 1_795_190_500, interval_seconds: 60 });
  });

  it("S3 gives a cron timer the seconds since the tick before", () => {
    const friday = Date.parse("2026-11-20T09:00:00Z");
    const monday = Date.parse("2026-11-23T09:00:00Z");
    expect(timerEvent({ ...workdays, timezone: "Europe/Berlin" }, monday, friday)).toEqual({
      timestamp: monday / 1_000,
      interval_seconds: 3 * 86_400,
      cron: "0 9 * * 1-5",
      timezone: "Europe/Berlin",
    });
    expect(timerEvent(workdays, friday, friday - 100)).toMatchObject({ interval_seconds: 1, timezone: "UTC" });
  });

  it("S30 gives a cron timer whose ticks have not begun the seconds since the scheduled time before", () => {
    const monday = Date.parse("2026-11-23T09:00:00Z");
    expect(timerEvent(workdays, monday)).toMatchObject({ interval_seconds: 3 * 86_400 });
    expect(timerEvent(workdays, monday + 90_500)).toMatchObject({ interval_seconds: 90 });
    expect(timerEvent(workdays, monday + 500)).toMatchObject({ interval_seconds: 1 });
  });
});
