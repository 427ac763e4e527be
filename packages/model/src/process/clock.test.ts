import { afterEach, describe, expect, it, vi } from "vitest";

import { settableClock } from "./clock.cases.ts";
import { createSteps, manualClock, monotonicMs, neverBack, systemClock } from "./clock.ts";

afterEach(() => {
  vi.useRealTimers();
});

describe("the manual clock", () => {
  it("moves only by `advance`, and wakes in the order of times", () => {
    const clock = manualClock(100);
    const woken: [string, number][] = [];
    const note = (name: string) => (): void => void woken.push([name, clock.now()]);
    clock.wakeAt(130, note("c"));
    clock.wakeAt(110, note("a"));
    clock.wakeAt(110, note("b"));
    clock.wakeAt(131, note("late"));
    expect(clock.next()).toBe(110);
    clock.jump(30);
    expect(woken).toEqual([
      ["a", 110],
      ["b", 110],
      ["c", 130],
    ]);
    expect([clock.now(), clock.next()]).toEqual([130, 131]);
  });

  it("runs wake-ups that are set during an advance, and past ones at the next advance", () => {
    const clock = manualClock(0);
    const woken: number[] = [];
    const again = (): void => {
      woken.push(clock.now());
      if (woken.length < 4) clock.wakeAt(clock.now() + 10, again);
    };
    clock.wakeAt(10, again);
    clock.jump(35);
    expect(woken).toEqual([10, 20, 30]);
    clock.wakeAt(5, () => woken.push(-1));
    clock.jump(0);
    expect(woken.at(-1)).toBe(-1);
    expect(clock.now()).toBe(35);
  });

  it("does not run a cancelled wake-up, and ignores a late cancel", () => {
    const clock = manualClock(0);
    const woken: string[] = [];
    const cancel = clock.wakeAt(5, () => woken.push("cancelled"));
    const late = clock.wakeAt(4, () => woken.push("woken"));
    cancel();
    clock.jump(10);
    late();
    expect(woken).toEqual(["woken"]);
    expect(clock.next()).toBeUndefined();
  });
});

describe("the system clock", () => {
  it("3.3 waits longer than the longest timer of the platform", () => {
    vi.useFakeTimers({ now: 0 });
    const days = 40 * 86_400_000;
    const woken: number[] = [];
    systemClock.wakeAt(days, () => woken.push(systemClock.now()));
    const cancel = systemClock.wakeAt(days, () => woken.push(-1));
    vi.advanceTimersByTime(days - 1);
    expect(woken).toEqual([]);
    cancel();
    vi.advanceTimersByTime(1);
    expect(woken).toEqual([days]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("wakes at once for a time in the past", () => {
    vi.useFakeTimers({ now: 10_000 });
    const woken: number[] = [];
    systemClock.wakeAt(1, () => woken.push(systemClock.now()));
    vi.advanceTimersByTime(0);
    expect(woken).toEqual([10_000]);
  });

  it.each([-3_600_000, 3_600_000])(
    "3.3 waits as long as it was asked to when the wall clock is set by %d ms",
    (byMs) => {
      vi.useFakeTimers({ now: 10_000_000 });
      const woken: string[] = [];
      systemClock.wakeAt(systemClock.now() + 100, () => woken.push("soon"));
      systemClock.wakeAt(systemClock.now() + 90_000, () => woken.push("later"));
      vi.setSystemTime(10_000_000 + byMs);
      vi.advanceTimersByTime(99);
      expect(woken).toEqual([]);
      vi.advanceTimersByTime(1);
      expect(woken).toEqual(["soon"]);
      vi.advanceTimersByTime(89_899);
      expect(woken).toEqual(["soon"]);
      vi.advanceTimersByTime(1);
      expect(woken).toEqual(["soon", "later"]);
    },
  );

  it("never goes back where durations are measured", () => {
    const first = monotonicMs();
    expect(monotonicMs()).toBeGreaterThanOrEqual(first);
  });
});

describe("a clock that is set", () => {
  it("is reported once with the difference, from one second on", () => {
    const clock = settableClock(0);
    const steps = createSteps(clock);
    clock.jump(100_000);
    clock.set(-3_600_000);
    expect([steps(), steps()]).toEqual([-3_600_000, 0]);
    clock.set(600);
    expect(steps()).toBe(0);
    clock.set(600);
    expect(steps()).toBe(1_200);
  });

  it("continues in `neverBack`, until it has caught up", () => {
    const clock = settableClock(5_000_000);
    const steady = neverBack(clock);
    const woken: number[] = [];
    expect(steady.now()).toBe(5_000_000);
    clock.set(-3_600_000);
    expect(steady.now()).toBe(5_000_000);
    steady.wakeAt(5_001_000, () => woken.push(steady.now()));
    clock.jump(1_000);
    expect(woken).toEqual([5_001_000]);
    clock.set(7_200_000);
    expect(steady.now()).toBe(clock.now());
  });

  it("is unchanged by `neverBack` if it cannot be set", () => {
    const clock = manualClock(0);
    expect(neverBack(clock)).toBe(clock);
    expect(createSteps(clock)()).toBe(0);
  });
});

describe("advance of a manual clock", () => {
  it("S29 stops at the time of each wake-up, and continues when its work has settled", async () => {
    const clock = manualClock(0);
    const seen: number[] = [];
    const arm = (at: number): void => void clock.wakeAt(at, () => void seen.push(clock.now()));
    arm(10);
    clock.follow(async () => {
      if (seen.at(-1) === clock.now() && seen.length < 5) arm(clock.now() + 10);
    });
    expect(await clock.advance(45)).toEqual({ steps: 4, coalesced: false });
    expect([seen, clock.now()]).toEqual([[10, 20, 30, 40], 45]);
  });

  it("S29 limits the number of steps, and reports it", async () => {
    const clock = manualClock(0, { maxSteps: 2 });
    for (const at of [1, 2, 3]) clock.wakeAt(at, () => undefined);
    expect(await clock.advance(10)).toEqual({ steps: 2, coalesced: true });
    expect([clock.now(), clock.next()]).toEqual([10, undefined]);
  });

  it("moves one call after another, until nobody follows", async () => {
    const clock = manualClock(0);
    const seen: number[] = [];
    const unfollow = clock.follow(async () => seen.push(clock.now()));
    const both = [clock.advance(10), clock.advance(5)];
    expect(clock.now()).toBe(0);
    await Promise.all(both);
    expect([clock.now(), seen]).toEqual([15, [0, 10, 10, 15]]);
    unfollow();
    await clock.advance(1);
    expect(seen).toHaveLength(4);
  });

  it("fails with its follower, and moves again", async () => {
    const clock = manualClock(0);
    const unfollow = clock.follow(() => Promise.reject(new Error("broken")));
    await expect(clock.advance(10)).rejects.toThrow("broken");
    unfollow();
    await clock.advance(10);
    expect(clock.now()).toBe(10);
  });

  it.each([-1, Number.NaN])("refuses %s ms", async (ms) => {
    await expect(manualClock(0).advance(ms)).rejects.toThrow("advance takes milliseconds from 0 on");
  });
});
