import { expect, test } from "vitest";

import { parseDuration, parseInstant } from "./time.ts";

test("durations are milliseconds or text with units", () => {
  const texts = ["0s", "500ms", "3m", "1h 30m", "1h30m", "2d", "1w", "1.5s", " 1 m "];
  expect(texts.map(parseDuration)).toEqual([
    0, 500, 180_000, 5_400_000, 5_400_000, 172_800_000, 604_800_000, 1_500, 60_000,
  ]);
  expect(parseDuration(250)).toBe(250);
});

test("a malformed duration is refused with examples", () => {
  for (const bad of ["", "3", "3 minutes", "-1m", -1, Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => parseDuration(bad)).toThrow('text such as "500ms", "3m", "1h 30m" or "2d"');
});

test("an instant without a zone is UTC", () => {
  const noon = Date.UTC(2026, 0, 1, 12);
  const given = ["2026-01-01T12:00:00", "2026-01-01T12:00:00Z", "2026-01-01T13:00:00+01:00", new Date(noon), noon];
  expect(given.map(parseInstant)).toEqual(given.map(() => noon));
  expect(parseInstant("2026-01-01")).toBe(Date.UTC(2026, 0, 1));
  expect(() => parseInstant("tomorrow")).toThrow('"now" is a Date, epoch milliseconds or text');
});
