import { describe, expect, it } from "vitest";

import { manualClock, systemClock } from "../../../model/src/process/clock.ts";
import type { Clock } from "../../../model/src/process/clock.ts";
import { createSchedule } from "./schedule.ts";

function setUp() {
  const clock = manualClock(1_000);
  const fired: [string, number][] = [];
  const schedule = createSchedule({ clock, fire: (sourceId, at) => fired.push([sourceId, at]) });
  return { clock, fired, schedule };
}

describe("createSchedule", () => {
  it("fires each source once, in order of time, and in the order of `set` within one time", () => {
    const { clock, fired, schedule } = setUp();
    schedule.set("c", 3_000);
    schedule.set("a", 2_000);
    schedule.set("b", 2_000);
    clock.jump(999);
    expect(fired).toEqual([]);
    clock.jump(5_000);
    expect(fired).toEqual([
      ["a", 2_000],
      ["b", 2_000],
      ["c", 3_000],
    ]);
    expect(schedule.next()).toBeUndefined();
    expect(clock.next()).toBeUndefined();
  });

  it("changes the time of a source, and removes a source", () => {
    const { clock, fired, schedule } = setUp();
    schedule.set("a", 2_000);
    schedule.set("b", 2_500);
    schedule.set("a", 4_000);
    expect(clock.next()).toBe(2_500);
    schedule.remove("b");
    schedule.remove("unknown");
    expect(clock.next()).toBe(4_000);
    clock.jump(10_000);
    expect(fired).toEqual([["a", 4_000]]);
  });

  it("holds one wake-up at a time", () => {
    let live = 0;
    const clock: Clock = {
      now: () => 0,
      wakeAt() {
        live++;
        return () => live--;
      },
    };
    const schedule = createSchedule({ clock, fire: () => undefined });
    for (let count = 100; count > 0; count--) schedule.set(`s${count}`, count);
    expect(live).toBe(1);
    schedule.remove("s1");
    expect(live).toBe(1);
    schedule.close();
    expect(live).toBe(0);
  });

  it("the callback may set, change and remove times", () => {
    const clock = manualClock(0);
    const fired: string[] = [];
    const schedule = createSchedule({
      clock,
      fire(sourceId, at) {
        fired.push(`${sourceId}@${at}`);
        if (sourceId === "tick" && at < 40) schedule.set("tick", at + 10);
        if (at === 20) schedule.remove("victim");
      },
    });
    schedule.set("tick", 10);
    schedule.set("victim", 25);
    clock.jump(100);
    expect(fired).toEqual(["tick@10", "tick@20", "tick@30", "tick@40"]);
  });

  it("returns when a callback keeps setting times in the past", () => {
    const clock = manualClock(0);
    let fired = 0;
    const schedule = createSchedule({
      clock,
      fire(sourceId, at) {
        fired++;
        if (fired < 5) schedule.set(sourceId, at - 1);
      },
    });
    schedule.set("a", 10);
    clock.jump(10);
    expect(fired).toBe(5);
  });

  it("continues after a callback that throws", () => {
    const clock = manualClock(0);
    const fired: string[] = [];
    const schedule = createSchedule({
      clock,
      fire(sourceId) {
        fired.push(sourceId);
        if (sourceId === "bad") throw new Error("broken");
      },
    });
    schedule.set("bad", 10);
    schedule.set("good", 10);
    expect(() => clock.jump(10)).toThrow("broken");
    clock.jump(1);
    expect(fired).toEqual(["bad", "good"]);
  });

  it("fires an overdue time as soon as the clock moves", () => {
    const { clock, fired, schedule } = setUp();
    schedule.set("late", 5);
    clock.jump(0);
    expect(fired).toEqual([["late", 5]]);
  });

  it("fires times beyond 2^31 ms ahead, and not before", () => {
    const { clock, fired, schedule } = setUp();
    const at = 1_000 + 2 ** 32;
    schedule.set("far", at);
    clock.jump(2 ** 31);
    expect(fired).toEqual([]);
    clock.jump(2 ** 31);
    expect(fired).toEqual([["far", at]]);
  });

  it("stops at close, also from within a callback", () => {
    const clock = manualClock(0);
    const fired: string[] = [];
    const schedule = createSchedule({
      clock,
      fire(sourceId) {
        fired.push(sourceId);
        schedule.close();
      },
    });
    schedule.set("a", 10);
    schedule.set("b", 10);
    clock.jump(100);
    schedule.set("c", 200);
    clock.jump(1_000);
    expect(fired).toEqual(["a"]);
    expect(clock.next()).toBeUndefined();
  });

  it("fires on the system clock", async () => {
    const at = systemClock.now() + 2;
    const firedAt = await new Promise<number>((resolve) => {
      const schedule = createSchedule({ clock: systemClock, fire: () => resolve(systemClock.now()) });
      schedule.set("a", at);
    });
    expect(firedAt).toBeGreaterThanOrEqual(at);
  });

  it("carries 30 000 sources through random sets, moves and removals in order", () => {
    const { clock, fired, schedule } = setUp();
    let seed = 7;
    const random = (limit: number): number => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((seed / 2 ** 32) * limit);
    };
    const expected = new Map<string, number>();
    for (let count = 0; count < 40_000; count++) {
      const sourceId = `s${random(30_000)}`;
      const at = 2_000 + random(1_000_000);
      if (random(10) === 0) {
        schedule.remove(sourceId);
        expected.delete(sourceId);
      } else {
        schedule.set(sourceId, at);
        expected.set(sourceId, at);
      }
    }
    for (let count = 0; count < 30_000; count++) {
      schedule.set(`s${count}`, 2_000 + count);
      expected.set(`s${count}`, 2_000 + count);
    }
    clock.jump(2_000_000);
    expect(fired).toHaveLength(expected.size);
    expect(fired.every(([, at], index) => index === 0 || (fired[index - 1]?.[1] ?? 0) <= at)).toBe(true);
    expect(fired.every(([sourceId, at]) => expected.get(sourceId) === at)).toBe(true);
  });
});
