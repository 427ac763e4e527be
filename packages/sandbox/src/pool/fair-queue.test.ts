import { describe, expect, it } from "vitest";

import { chooseLeaving, hasRoom, isCalm, isLong, longBounds } from "./long-jobs.ts";
import type { Weight } from "./placement.ts";
import { createUsage, inFairOrder, pauseAfter, sourceAccount, userAccount } from "./fair-queue.ts";

const job = (id: number, userId: string, sourceId: string) => ({ id, userId, sourceId, isVisible: false, cpuMs: id });

describe("whose turn it is", () => {
  const a1 = job(1, "u_a", "dc_a1");
  const a2 = job(2, "u_a", "dc_a2");
  const b1 = job(3, "u_b", "dc_b1");
  const idsOf = (weights: Record<string, Weight> = {}, used: Record<string, number> = {}, now = 0) => {
    const usage = createUsage();
    for (const [name, ms] of Object.entries(used)) usage.charge(name, ms, 0);
    return inFairOrder([a1, a2, b1], { usage, weightOf: (id) => weights[id] }, now).map(({ id }) => id);
  };

  it("is that of the oldest job among equals", () => {
    expect(idsOf()).toEqual([1, 2, 3]);
  });

  it("is that of the user with less usage, then of the source with less usage", () => {
    expect(idsOf({}, { [userAccount(a1)]: 1_000 })).toEqual([3, 1, 2]);
    expect(idsOf({}, { [sourceAccount(a1)]: 1_000 })).toEqual([2, 3, 1]);
  });

  it("is that of a source with short jobs before a new source", () => {
    expect(idsOf({ dc_b1: "light" })).toEqual([3, 1, 2]);
  });

  it("does not depend on old or small usage", () => {
    expect(idsOf({}, { [userAccount(a1)]: 1_000 }, 600_000)).toEqual([1, 2, 3]);
    expect(idsOf({}, { [userAccount(a1)]: 60 })).toEqual([1, 2, 3]);
  });
});

describe("long jobs", () => {
  it("become long sooner while others wait", () => {
    expect([isLong(100, true), isLong(100, false), isLong(250, false)]).toEqual([true, false, true]);
  });

  it("become short again after they have waited for a second", () => {
    expect([1_500, 2_500].map((now) => isCalm({ seenAt: 1_000 }, now))).toEqual([false, true]);
  });

  it("leave one existing thread free, two of the most, and one for another user", () => {
    expect(longBounds(1, 8)).toEqual({ most: 1, ofUser: 1 });
    expect(longBounds(4, 8)).toEqual({ most: 3, ofUser: 3 });
    expect(longBounds(8, 8)).toEqual({ most: 6, ofUser: 5 });
    const five = [1, 2, 3, 4, 5].map((id) => job(id, "u_a", `dc_${id}`));
    expect(hasRoom(five, { userId: "u_a" }, longBounds(8, 8))).toBe(false);
    expect(hasRoom(five, { userId: "u_b" }, longBounds(8, 8))).toBe(true);
  });

  it("leave their threads when there are too many: invisible ones first, of the user with the most, with the least CPU time", () => {
    const bounds = { most: 3, ofUser: 3 };
    const long = [job(4, "u_b", "dc_b"), job(5, "u_a", "dc_1"), job(6, "u_a", "dc_2"), job(7, "u_a", "dc_3")];
    expect(chooseLeaving(long.slice(1), bounds)).toBeUndefined();
    expect(chooseLeaving(long, bounds)?.id).toBe(5);
    expect(chooseLeaving([{ ...job(1, "u_a", "dc_0"), isVisible: true }, ...long], bounds)?.id).toBe(5);
    expect(chooseLeaving(long.slice(1), { most: 4, ofUser: 2 })?.id).toBe(5);
  });

  it("keep their threads after a request, up to two seconds of CPU time", () => {
    const visible = (id: number, cpuMs: number) => ({ ...job(id, "u_a", `dc_${id}`), isVisible: true, cpuMs });
    const bounds = { most: 1, ofUser: 1 };
    expect(chooseLeaving([visible(1, 300), visible(2, 1_999)], bounds)).toBeUndefined();
    expect(chooseLeaving([visible(1, 300), visible(2, 2_000)], bounds)?.id).toBe(2);
    expect(chooseLeaving([visible(1, 300), visible(2, 9_000), job(3, "u_a", "dc_3")], bounds)?.id).toBe(3);
  });
});

it("a source whose jobs end one thread after another waits longer each time, up to half a minute", () => {
  expect([0, 1, 2, 3, 8, 100].map(pauseAfter)).toEqual([0, 250, 500, 1_000, 30_000, 30_000]);
});
