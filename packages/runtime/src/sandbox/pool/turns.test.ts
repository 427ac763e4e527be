import { describe, expect, it } from "vitest";

import { pauseAfter } from "./crash-pace.ts";
import { chooseLeaving, hasRoom, isCalm, isLong, longBounds } from "./long-jobs.ts";
import type { Weight } from "./placement.ts";
import { inTurn, sourceAccount, userAccount } from "./turns.ts";
import { createUsage } from "./usage.ts";

const job = (id: number, userId: string, sourceId: string) => ({ id, userId, sourceId, isVisible: false, cpuMs: id });

describe("whose turn it is", () => {
  const a1 = job(1, "u_a", "dc_a1");
  const a2 = job(2, "u_a", "dc_a2");
  const b1 = job(3, "u_b", "dc_b1");
  const idsOf = (weights: Record<string, Weight> = {}, used: Record<string, number> = {}, now = 0) => {
    const usage = createUsage();
    for (const [name, ms] of Object.entries(used)) usage.charge(name, ms, 0);
    return inTurn([a1, a2, b1], { usage, weightOf: (id) => weights[id] }, now).map(({ id }) => id);
  };

  it("is that of who came first, among equals", () => {
    expect(idsOf()).toEqual([1, 2, 3]);
  });

  it("is that of the user who has used less, then of the source", () => {
    expect(idsOf({}, { [userAccount(a1)]: 1_000 })).toEqual([3, 1, 2]);
    expect(idsOf({}, { [sourceAccount(a1)]: 1_000 })).toEqual([2, 3, 1]);
  });

  it("is that of a source whose jobs are short before one that is new", () => {
    expect(idsOf({ dc_b1: "light" })).toEqual([3, 1, 2]);
  });

  it("forgets what was used long ago, and what is next to nothing", () => {
    expect(idsOf({}, { [userAccount(a1)]: 1_000 }, 600_000)).toEqual([1, 2, 3]);
    expect(idsOf({}, { [userAccount(a1)]: 60 })).toEqual([1, 2, 3]);
  });
});

describe("long jobs", () => {
  it("are long sooner while others wait", () => {
    expect([isLong(100, true), isLong(100, false), isLong(250, false)]).toEqual([true, false, true]);
  });

  it("are short again when they have been waiting for a second", () => {
    expect([1_500, 2_500].map((now) => isCalm({ seenAt: 1_000 }, now))).toEqual([false, true]);
  });

  it("leave one of the threads there are, two of the most, and one to another user", () => {
    expect(longBounds(1, 8)).toEqual({ most: 1, ofUser: 1 });
    expect(longBounds(4, 8)).toEqual({ most: 3, ofUser: 3 });
    expect(longBounds(8, 8)).toEqual({ most: 6, ofUser: 5 });
    const five = [1, 2, 3, 4, 5].map((id) => job(id, "u_a", `dc_${id}`));
    expect(hasRoom(five, { userId: "u_a" }, longBounds(8, 8))).toBe(false);
    expect(hasRoom(five, { userId: "u_b" }, longBounds(8, 8))).toBe(true);
  });

  it("leave their threads where there are too many: silent ones, of who has most, what has done least", () => {
    const bounds = { most: 3, ofUser: 3 };
    const long = [job(4, "u_b", "dc_b"), job(5, "u_a", "dc_1"), job(6, "u_a", "dc_2"), job(7, "u_a", "dc_3")];
    expect(chooseLeaving(long.slice(1), bounds)).toBeUndefined();
    expect(chooseLeaving(long, bounds)?.id).toBe(5);
    expect(chooseLeaving([{ ...job(1, "u_a", "dc_0"), isVisible: true }, ...long], bounds)?.id).toBe(5);
    expect(chooseLeaving(long.slice(1), { most: 4, ofUser: 2 })?.id).toBe(5);
  });

  it("keep them when they have sent a request, up to two seconds of computing", () => {
    const visible = (id: number, cpuMs: number) => ({ ...job(id, "u_a", `dc_${id}`), isVisible: true, cpuMs });
    const bounds = { most: 1, ofUser: 1 };
    expect(chooseLeaving([visible(1, 300), visible(2, 1_999)], bounds)).toBeUndefined();
    expect(chooseLeaving([visible(1, 300), visible(2, 2_000)], bounds)?.id).toBe(2);
    expect(chooseLeaving([visible(1, 300), visible(2, 9_000), job(3, "u_a", "dc_3")], bounds)?.id).toBe(3);
  });
});

it("who ends a thread again and again waits longer each time, up to half a minute", () => {
  expect([0, 1, 2, 3, 8, 100].map(pauseAfter)).toEqual([0, 250, 500, 1_000, 30_000, 30_000]);
});
