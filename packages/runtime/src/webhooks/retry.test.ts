import { expect, test } from "vitest";

import { nextAttemptAt, parseRetryAfter, parseSchedule, standardSchedule } from "./retry.ts";

const now = Date.UTC(2026, 10, 20, 18);
const hour = 3_600_000;
const after = (made: number, more: { random?: number; retryAfter?: string } = {}): number | undefined => {
  const { random = 0, retryAfter } = more;
  const at = nextAttemptAt({ made, now, retryAfter, schedule: standardSchedule, random });
  return at === undefined ? undefined : at - now;
};

test("G13 ten attempts over 75 h 35 min, without jitter", () => {
  expect(standardSchedule).toHaveLength(10);
  const total = standardSchedule.reduce((sum, delay) => sum + delay, 0);
  expect(total).toBe(75 * hour + 35 * 60_000 + 5_000);
  expect([1, 2, 3, 9].map((made) => after(made))).toEqual([5_000, 300_000, 1_800_000, 24 * hour]);
  expect(after(10)).toBeUndefined();
});

test("G13 jitter adds at most a fifth, and subtracts nothing", () => {
  expect(after(1, { random: 0.5 })).toBe(5_500);
  expect(after(4, { random: 0.999_999 })).toBeLessThanOrEqual(2.4 * hour);
});

test("G13 an attempt is at a whole millisecond", () => {
  expect(after(1, { random: 1 / 3 })).toBe(5_333);
});

test.each([
  ["120", 120_000],
  [" 7 ", 7_000],
  ["0", 0],
  ["Fri, 20 Nov 2026 19:00:00 GMT", hour],
  ["999999", 24 * hour],
  ["Fri, 20 Nov 2030 19:00:00 GMT", 24 * hour],
])("S19 Retry-After %j is %i ms from now, at most 24 h", (text, wait) => {
  expect(parseRetryAfter(text, now)).toBe(now + wait);
});

test.each([undefined, "soon", "", "-5x"])("S19 Retry-After %j is ignored", (text) => {
  expect(parseRetryAfter(text, now)).toBeUndefined();
});

test("G13 the schedule is an option: a list of delays", () => {
  expect(parseSchedule(undefined)).toBe(standardSchedule);
  expect(parseSchedule([0, 1_000])).toEqual([0, 1_000]);
  for (const wrong of [[], [-1], [Number.NaN], ["5"], "5s"]) {
    expect(() => parseSchedule(wrong as number[])).toThrow("deliverySchedule");
  }
});

test("S19 the next attempt is at the later time of schedule and Retry-After", () => {
  expect(after(1, { retryAfter: "60" })).toBe(60_000);
  expect(after(3, { retryAfter: "60" })).toBe(1_800_000);
  expect(after(10, { retryAfter: "60" })).toBeUndefined();
});
