import { expect, test } from "vitest";

import { matchesBothDays } from "./cron.ts";
import type { Json } from "./model.ts";
import { scheduleWarnings } from "./schedule-warnings.ts";

const now = Date.parse("2026-11-20T00:00:00Z");
const timer = (given?: Json) => [
  { name: "text", type: "string" },
  { name: "timer", type: "$.interface.timer", ...(given !== undefined && { default: given }) },
];

test.each([
  ["0 9 13 * 5", true],
  ["0 0 9 13 * 5", true],
  ["  0 9 1-7 * mon ", true],
  ["0 9 */2 * 1,5", true],
  ["0 9 13 * *", false],
  ["0 9 * * 5", false],
  ["0 9 */1 * 5", false],
  ["0 9 13 * 1,*", false],
  ["0 9 * 5 *", false],
  ["@weekly", false],
  ["9", false],
])("S45 %j needs both days to match: %s", (expression, expected) => {
  expect(matchesBothDays(expression)).toBe(expected);
});

test("S45 the warning has the next three ticks, as clocks in the zone of the timer show them", () => {
  const [warning, ...others] = scheduleWarnings(timer({ cron: "30 0 13 * 5", timezone: "Asia/Tokyo" }), {}, now);
  expect(others).toEqual([]);
  expect(warning).toEqual({
    rule: "cron-day-and-weekday",
    path: "/props/timer/default/cron",
    message:
      '"30 0 13 * 5" ticks only on days that match both its day of month and its day of week, next 2027-08-13 00:30, 2028-10-13 00:30, 2029-04-13 00:30 (Asia/Tokyo): leave one of them *',
  });
});

test("S45 a configured schedule counts, not the default", () => {
  const both = { cron: "0 0 29 2 1" };
  const one = { cron: "0 0 29 2 *" };
  expect(scheduleWarnings(timer(both), { timer: one }, now)).toEqual([]);
  expect(scheduleWarnings(timer(both), { timer: { intervalSeconds: 60 } }, now)).toEqual([]);
  const [warning] = scheduleWarnings(timer(one), { timer: both }, now);
  expect(warning?.message).toContain("next 2044-02-29 00:00, 2072-02-29 00:00");
  for (const odd of [null, "x", [], { cron: 5 }]) expect(scheduleWarnings(timer(odd), {}, now)).toEqual([]);
  expect(scheduleWarnings(timer(), {}, now)).toEqual([]);
});
