import { afterEach, describe, expect, it, vi } from "vitest";

import { advanceInSteps, manualClock, monotonicMs, systemClock } from "./clock.ts";

afterEach(() => {
  vi.useRealTimers();
});

describe("the manual clock", () => {
  it("moves only when told, and wakes in the order of times", () => {
    const clock = manualClock(100);
    const woken: [string, number][] = [];
    const note = (name: string) => (): void => void woken.push([name, clock.now()]);
    clock.wakeAt(130, note("c"));
    clock.wakeAt(110, note("a"));
    clock.wakeAt(110, note("b"));
    clock.wakeAt(131, note("late"));
    expect(clock.next()).toBe(110);
    clock.advance(30);
    expect(woken).toEqual([
      ["a", 110],
      ["b", 110],
      ["c", 130],
    ]);
    expect([clock.now(), clock.next()]).toEqual([130, 131]);
  });

  it("wakes what is set while it moves, and what lies in the past at the next move", () => {
    const clock = manualClock(0);
    const woken: number[] = [];
    const again = (): void => {
      woken.push(clock.now());
      if (woken.length < 4) clock.wakeAt(clock.now() + 10, again);
    };
    clock.wakeAt(10, again);
    clock.advance(35);
    expect(woken).toEqual([10, 20, 30]);
    clock.wakeAt(5, () => woken.push(-1));
    clock.advance(0);
    expect(woken.at(-1)).toBe(-1);
    expect(clock.now()).toBe(35);
  });

  it("lets a cancelled wake-up rest, once it is woken too", () => {
    const clock = manualClock(0);
    const woken: string[] = [];
    const cancel = clock.wakeAt(5, () => woken.push("cancelled"));
    const late = clock.wakeAt(4, () => woken.push("woken"));
    cancel();
    clock.advance(10);
    late();
    expect(woken).toEqual(["woken"]);
    expect(clock.next()).toBeUndefined();
  });
});

describe("the system clock", () => {
  it("3.3 waits longer than a timer of the platform can", () => {
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

  it("wakes at once for a time in the past, and not before its time when the wall clock steps back", () => {
    vi.useFakeTimers({ now: 10_000 });
    const woken: number[] = [];
    systemClock.wakeAt(1, () => woken.push(systemClock.now()));
    vi.advanceTimersByTime(0);
    systemClock.wakeAt(10_100, () => woken.push(systemClock.now()));
    vi.setSystemTime(9_000);
    vi.advanceTimersByTime(100);
    expect(woken).toEqual([10_000]);
    vi.advanceTimersByTime(1_000);
    expect(woken).toEqual([10_000, 10_100]);
  });

  it("wakes within a minute when the wall clock jumps beyond the time", () => {
    vi.useFakeTimers({ now: 0 });
    const woken: number[] = [];
    systemClock.wakeAt(7_200_000, () => woken.push(systemClock.now()));
    vi.setSystemTime(7_200_000);
    vi.advanceTimersByTime(60_001);
    expect(woken).toHaveLength(1);
  });

  it("never goes back where durations are measured", () => {
    const first = monotonicMs();
    expect(monotonicMs()).toBeGreaterThanOrEqual(first);
  });
});

describe("advanceInSteps", () => {
  it("S29 stops at each time at which something falls due, and goes on when that has settled", async () => {
    const clock = manualClock(0);
    const seen: number[] = [];
    const arm = (at: number): void => void clock.wakeAt(at, () => void seen.push(clock.now()));
    arm(10);
    const settled = async (): Promise<void> => {
      if (seen.at(-1) === clock.now() && seen.length < 5) arm(clock.now() + 10);
    };
    expect(await advanceInSteps(clock, 45, settled)).toEqual({ steps: 4, coalesced: false });
    expect([seen, clock.now()]).toEqual([[10, 20, 30, 40], 45]);
  });

  it("S29 takes so many steps and no more, and says so", async () => {
    const clock = manualClock(0);
    for (const at of [1, 2, 3]) clock.wakeAt(at, () => undefined);
    expect(await advanceInSteps(clock, 10, () => Promise.resolve(), 2)).toEqual({ steps: 2, coalesced: true });
    expect([clock.now(), clock.next()]).toEqual([10, undefined]);
  });
});
