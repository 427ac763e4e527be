import { describe, expect, it } from "vitest";

import { nextCron, previousCron } from "./cron.ts";

const hour = 3_600_000;

/** The clocks of a zone, and the ticks in UTC of schedules from 3 hours before the change to 12 hours after it. */
interface Change {
  readonly zone: string;
  readonly at: string;
  readonly clocks: string;
  readonly ticks: { readonly [expression: string]: string };
}

const changes: readonly Change[] = [
  {
    zone: "Europe/Berlin",
    at: "2027-03-28T01:00Z",
    clocks: "02:00 -> 03:00",
    ticks: {
      "30 2 * * *": "01:00",
      "0 2,14 * * *": "01:00 12:00",
      "0,30 2 * * *": "01:00",
      "0 2,3 * * *": "01:00",
      "30 1-4 * * *": "00:30 01:00 01:30 02:30",
      "15-45/15 2 * * *": "01:00",
      "0 0,12 * * *": "23:00 10:00",
      "*/20 30 2 * * *": "01:00",
      "*/30 2 * * *": "",
      "0 */2 * * *": "23:00 02:00 04:00 06:00 08:00 10:00 12:00",
      "0 */4,3 * * *": "23:00 01:00 02:00 06:00 10:00",
    },
  },
  {
    zone: "Europe/Berlin",
    at: "2027-10-31T01:00Z",
    clocks: "03:00 -> 02:00",
    ticks: {
      "30 2 * * *": "00:30",
      "0 2,14 * * *": "00:00 13:00",
      "0,30 2 * * *": "00:00 00:30",
      "30 1-3 * * *": "23:30 00:30 02:30",
      "0 3 * * *": "02:00",
      "*/20 30 2 * * *": "00:30 00:30:20 00:30:40",
      "*/30 2 * * *": "00:00 00:30 01:00 01:30",
      "0 */2 * * *": "00:00 01:00 03:00 05:00 07:00 09:00 11:00 13:00",
    },
  },
  {
    zone: "America/New_York",
    at: "2027-03-14T07:00Z",
    clocks: "02:00 -> 03:00",
    ticks: { "0 2,14 * * *": "07:00 18:00", "30 1,2 * * *": "06:30 07:00", "0 2 14 3 *": "07:00" },
  },
  {
    zone: "America/New_York",
    at: "2027-11-07T06:00Z",
    clocks: "02:00 -> 01:00",
    ticks: { "0 1,13 * * *": "05:00 18:00", "0,30 1 * * *": "05:00 05:30", "0 0-2 * * *": "04:00 05:00 07:00" },
  },
  {
    zone: "America/Havana",
    at: "2027-03-14T05:00Z",
    clocks: "00:00 -> 01:00",
    ticks: {
      "0 0,12 * * *": "05:00 16:00",
      "@daily": "05:00",
      "15,45 0 * * *": "05:00",
      "15 0-1 * * *": "05:00 05:15",
    },
  },
  {
    zone: "America/Havana",
    at: "2027-11-07T05:00Z",
    clocks: "01:00 -> 00:00",
    ticks: { "0 0,12 * * *": "04:00 17:00", "30 0 * * 0": "04:30", "*/30 0 * * *": "04:00 04:30 05:00 05:30" },
  },
  {
    zone: "Africa/Cairo",
    at: "2027-04-29T22:00Z",
    clocks: "00:00 -> 01:00",
    ticks: {
      "0 0,12 * * *": "22:00 09:00",
      "30 0 * * 5": "22:00",
      "0 0 30 4 *": "22:00",
      "0,30 0-1 * * *": "22:00 22:30",
    },
  },
  {
    zone: "Africa/Cairo",
    at: "2027-10-28T21:00Z",
    clocks: "24:00 -> 23:00",
    ticks: { "30 23 * * *": "20:30", "0 0,23 * * *": "20:00 22:00", "0 0,12 * * *": "22:00", "0 0 29 10 5": "22:00" },
  },
  {
    zone: "America/Santiago",
    at: "2027-09-05T04:00Z",
    clocks: "00:00 -> 01:00",
    ticks: { "0 0,12 * * *": "04:00 15:00", "0 0 5 9 *": "04:00", "0 0,1 * * 0": "04:00" },
  },
  {
    zone: "America/Santiago",
    at: "2027-04-04T03:00Z",
    clocks: "24:00 -> 23:00",
    ticks: { "0,30 23 * * *": "02:00 02:30", "*/30 23 * * *": "02:00 02:30 03:00 03:30" },
  },
  {
    zone: "Australia/Lord_Howe",
    at: "2027-10-02T15:30Z",
    clocks: "02:00 -> 02:30",
    ticks: { "0,15,30 2 * * *": "15:30", "15 2,14 * * *": "15:30 03:15", "*/15 2 * * *": "15:30 15:45" },
  },
  {
    zone: "Australia/Lord_Howe",
    at: "2027-04-03T15:00Z",
    clocks: "02:00 -> 01:30",
    ticks: { "45 1,13 * * *": "14:45", "*/15 1 * * *": "14:00 14:15 14:30 14:45 15:00 15:15" },
  },
  {
    zone: "America/Nuuk",
    at: "2027-03-28T01:00Z",
    clocks: "23:00 -> 00:00",
    ticks: { "30 23 * * *": "01:00", "0 11,23 * * *": "01:00 12:00", "0 0,12 * * *": "01:00 13:00" },
  },
  {
    zone: "America/Nuuk",
    at: "2027-10-31T01:00Z",
    clocks: "24:00 -> 23:00",
    ticks: { "30 23 * * *": "00:30", "0 0 * * *": "02:00", "0,30 23 * * *": "00:00 00:30" },
  },
  {
    zone: "Asia/Beirut",
    at: "2027-03-27T22:00Z",
    clocks: "00:00 -> 01:00",
    ticks: { "0 0,12 * * *": "22:00 09:00", "0,30 0,1 * * 0": "22:00 22:30" },
  },
  {
    zone: "Asia/Beirut",
    at: "2027-10-30T21:00Z",
    clocks: "24:00 -> 23:00",
    ticks: { "0,30 23 * * 6": "20:00 20:30", "0 */12 * * *": "22:00" },
  },
];

const time = (at: number): string => new Date(at).toISOString().slice(11, 19).replace(/:00$/, "");
const wall = (zone: string, at: number): string =>
  new Date(at).toLocaleTimeString("en-GB", { timeZone: zone, timeStyle: "short" });

describe.each(changes)("S44 $zone, $clocks", ({ zone, at, clocks, ticks }) => {
  const change = Date.parse(at);
  const [from, until] = [change - 3 * hour, change + 12 * hour];

  it("is a change of the clocks", () => {
    const [, before, after] = /^(\S+) -> (\S+)$/.exec(clocks) ?? [];
    const shown = wall(zone, change - 60_000);
    expect(wall(zone, change)).toBe(after);
    const minute = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
    expect(minute(shown) + 1).toBe(minute(before === "00:00" ? "24:00" : (before ?? "")));
  });

  it.each(Object.entries(ticks))("%s ticks at %s", (expression, expected) => {
    const found: number[] = [];
    for (let tick = nextCron(expression, zone, from); tick !== undefined && tick <= until;) {
      found.push(tick);
      tick = nextCron(expression, zone, tick);
    }
    expect(found.map(time).join(" ")).toBe(expected);
    const back: number[] = [];
    for (let tick = previousCron(expression, zone, until + 1); tick !== undefined && tick > from;) {
      back.push(tick);
      tick = previousCron(expression, zone, tick);
    }
    expect(back.toReversed()).toEqual(found);
  });
});
