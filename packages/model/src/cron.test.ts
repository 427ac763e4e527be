import { createTask } from "node-cron";
import { describe, expect, it } from "vitest";

import { invalidCron, invalidTimezone, nextCron, previousCron } from "./cron.ts";

const at = (iso: string): number => Date.parse(iso);
const iso = (ms: number | undefined): string | undefined => (ms === undefined ? undefined : new Date(ms).toISOString());
const hour = 3_600_000;
const day = 24 * hour;

describe("invalidCron", () => {
  it("accepts fields of numbers, ranges, steps, lists and names, with or without seconds", () => {
    for (const expression of [
      "* * * * *",
      "*/5 * * * *",
      "0 9 * * 1-5",
      "0 9 * * mon-FRI",
      "0 0 1 jan,Jul *",
      "1,2,3-9/2,*/30 * * * *",
      "30 0 0 1 1 0",
      "  0\t0  * * 7 ",
      "0 0 29 2 *",
      "0 0 * * fri-sun",
      "@daily",
      "@Hourly",
    ]) {
      expect([expression, invalidCron(expression)]).toEqual([expression, undefined]);
    }
  });

  it("refuses what the two libraries do not both read", () => {
    for (const expression of [
      "",
      " ",
      "* * * *",
      "* * * * * * *",
      "60 * * * *",
      "61 * * * *",
      "* 24 * * *",
      "* * 0 * *",
      "* * 32 * *",
      "* * * 13 *",
      "* * * * 8",
      "59-0 * * * *",
      "*/0 * * * *",
      "*/70 * * * *",
      "5/5 * * * *",
      "0 0 L * *",
      "0 0 15W * *",
      "0 0 ? * *",
      "0 0 * * 1#2",
      "0 0 * * 5L",
      "0 0 * * +5",
      "0 0 1 january *",
      "* * * * someday",
      "1,,2 * * * *",
      "-1 * * * *",
      "1.5 * * * *",
      "@reboot",
      "@never",
      "0 0 31 2 *",
      "0 0 30,31 2 *",
      "* * * * *\n* * * * *",
      "2026-11-20T00:00:00",
    ]) {
      expect([expression, typeof invalidCron(expression)]).toEqual([expression, "string"]);
      expect([expression, nextCron(expression, "UTC", 0)]).toEqual([expression, undefined]);
    }
  });

  it("names the field and the item that is wrong", () => {
    expect(invalidCron("0 0 * * 1#2")).toBe('"1#2" is not valid in the day of week field');
    expect(invalidCron("0 x * * * *")).toBe('"x" is not valid in the minute field');
    expect(invalidCron("* * *")).toContain("has 3");
  });

  it("says how a step of a single value is written", () => {
    const problem = (expression: string, fixed: string): void =>
      expect(invalidCron(expression)).toContain(`a step needs a range or *: write ${fixed}`);
    problem("5/15 * * * *", "5-59/15");
    problem("7/5 0 * * * *", "7-59/5");
    problem("0 1,8/2 * * *", "8-23/2");
    problem("0 0 10/3 * *", "10-31/3");
    problem("0 0 1 feb/2 *", "feb-12/2");
    problem("0 0 1 2/2 *", "2-12/2");
    problem("0 0 * * 1/2", "1-6/2");
    for (const expression of [
      "5-59/15 * * * *",
      "7-59/5 0 * * * *",
      "0 1,8-23/2 * * *",
      "0 0 10-31/3 * *",
      "0 0 * * 1-6/2",
    ])
      expect(invalidCron(expression)).toBeUndefined();
  });

  it("refuses expressions that would end or block the process before a library sees them", () => {
    const poison = [
      "0-1000000000 * * * *",
      "0-10000000 * * * *",
      "*/1000000000 * * * *",
      "0-59/100 * * * *",
      `${"0,".repeat(80)}0 * * * *`,
      `${"0,".repeat(1_000_000)}0 * * * *`,
      `${" ".repeat(1_000_000)}* * * * *`,
      `* * * * ${"*".repeat(180)}`,
    ];
    for (const expression of poison) {
      // The cheapest of five, because the collector runs when it likes.
      const costs = Array.from({ length: 5 }, () => {
        const start = process.cpuUsage();
        expect(invalidCron(expression)).toMatch(/\w/);
        expect(nextCron(expression, "UTC", 0)).toBeUndefined();
        const { user, system } = process.cpuUsage(start);
        return (user + system) / 1_000;
      });
      expect(Math.min(...costs)).toBeLessThan(5);
    }
  });

  it("checks the time zone", () => {
    expect(invalidCron("0 9 * * *", "Europe/Berlin")).toBeUndefined();
    expect(invalidCron("0 9 * * *", "UTC")).toBeUndefined();
    expect(invalidCron("0 9 * * *", "Mars/Olympus")).toContain('"Mars/Olympus" is not a time zone');
    expect(invalidTimezone("")).toContain("not a time zone");
    expect(invalidTimezone("x".repeat(100_000))).toContain("not a time zone");
  });
});

describe("nextCron", () => {
  it("is strictly after the given instant, to the millisecond", () => {
    expect(iso(nextCron("0 9 * * *", "UTC", at("2026-11-20T08:59:59.999Z")))).toBe("2026-11-20T09:00:00.000Z");
    expect(iso(nextCron("0 9 * * *", "UTC", at("2026-11-20T09:00:00.000Z")))).toBe("2026-11-21T09:00:00.000Z");
    expect(iso(nextCron("0 9 * * *", undefined, at("2026-11-20T09:00:00.001Z")))).toBe("2026-11-21T09:00:00.000Z");
    expect(iso(nextCron("* * * * * *", "UTC", at("2026-11-20T09:00:00.500Z")))).toBe("2026-11-20T09:00:01.000Z");
  });

  it("needs both the day of the month and the day of the week to match, like node-cron", () => {
    expect(iso(nextCron("0 0 13 * 5", "UTC", at("2026-11-20T00:00:00Z")))).toBe("2027-08-13T00:00:00.000Z");
  });

  it("runs a daily time that clocks skip when they have jumped, and a repeated one once", () => {
    const berlin = (after: string): string | undefined => iso(nextCron("30 2 * * *", "Europe/Berlin", at(after)));
    expect(berlin("2026-03-28T12:00:00Z")).toBe("2026-03-29T01:00:00.000Z");
    expect(berlin("2026-03-29T01:00:00Z")).toBe("2026-03-30T00:30:00.000Z");
    expect(berlin("2026-10-24T12:00:00Z")).toBe("2026-10-25T00:30:00.000Z");
    expect(berlin("2026-10-25T00:30:00Z")).toBe("2026-10-26T01:30:00.000Z");
  });

  it("keeps the rhythm of an hourly schedule over both changes", () => {
    for (const change of ["2026-03-29T00:00:00Z", "2026-10-25T00:00:00Z"]) {
      let now = at(change);
      for (let hours = 1; hours < 5; hours++) {
        const next = nextCron("0 * * * *", "Europe/Berlin", now);
        expect(next).toBe(at(change) + hours * hour);
        now = next ?? 0;
      }
    }
  });

  it("finds rare dates, and none where there is none", () => {
    expect(iso(nextCron("0 0 29 2 1", "UTC", at("2026-11-20T00:00:00Z")))).toBe("2044-02-29T00:00:00.000Z");
    expect(nextCron("0 0 31 2 *", "UTC", 0)).toBeUndefined();
    expect(nextCron("not cron", "UTC", 0)).toBeUndefined();
    expect(nextCron("0 0 * * *", "Mars/Olympus", 0)).toBeUndefined();
  });
});

describe("against node-cron's own match", () => {
  /** A small generator of repeatable numbers below `limit`. */
  const generator = (seed: number) => {
    let state = seed;
    return (limit: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * limit);
    };
  };

  const next = generator(4_711);
  const field = (low: number, high: number, stars: number): string => {
    const value = (): number => low + next(high - low + 1);
    const range = (): string => [value(), value()].toSorted((a, b) => a - b).join("-");
    if (next(10) < stars) return "*";
    const forms = [
      () => `*/${1 + next(high - low + 1)}`,
      () => String(value()),
      () => range(),
      () => `${range()}/${1 + next(6)}`,
      () => [value(), range(), value()].join(","),
    ];
    return forms[next(forms.length)]?.() ?? "*";
  };
  const names = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
  const weekday = (): string => {
    const from = next(7);
    return next(3) > 0 ? field(0, 7, 8) : next(2) > 0 ? `${names[from]}` : `${names[from]}-${names[6]}`;
  };
  const zones = ["UTC", "Europe/Berlin", "America/New_York"];
  const changes = ["2026-03-29T01:00:00Z", "2026-10-25T01:00:00Z", "2026-03-08T07:00:00Z", "2026-11-01T06:00:00Z"];

  /** Fixed times of day follow the rule for skipped and repeated times, everything else is what `match` says. */
  const isFixedTime = (expression: string): boolean => {
    const parts = expression.split(" ");
    return parts.slice(0, parts.length - 3).every((part) => /^\d+$/.test(part));
  };

  it("gives the first minute that matches, over random expressions and instants", () => {
    const task = (expression: string, timezone: string) => createTask(expression, () => undefined, { timezone });
    let checked = 0;
    for (let round = 0; round < 160; round++) {
      const expression = [field(0, 59, 2), field(0, 23, 5), field(1, 31, 8), field(1, 12, 9), weekday()].join(" ");
      if (invalidCron(expression) !== undefined || isFixedTime(expression)) continue;
      const zone = zones[next(zones.length)] ?? "UTC";
      const near = at(changes[next(changes.length)] ?? "") - 3 * hour + next(5 * hour);
      const oracle = task(expression, zone);
      const found = nextCron(expression, zone, near);
      const until = near + 4 * hour;
      let minute = Math.floor(near / 60_000) * 60_000 + 60_000;
      while (minute <= until && !oracle.match(new Date(minute))) minute += 60_000;
      const walked = minute <= until;
      // Beyond what is walked it only has to be a match.
      const agrees = walked
        ? found === minute
        : found === undefined || (found > until && oracle.match(new Date(found)));
      const context = [expression, zone, iso(near), iso(found)];
      expect([...context, agrees]).toEqual([...context, true]);
      if (walked) checked++;
    }
    expect(checked).toBeGreaterThan(40);
  });

  it("gives the first second that matches for expressions with seconds", () => {
    for (let round = 0; round < 40; round++) {
      const expression = [field(0, 59, 3), field(0, 59, 7), "*", "*", "*", "*"].join(" ");
      if (invalidCron(expression) !== undefined) continue;
      const zone = zones[next(zones.length)] ?? "UTC";
      const near = at(changes[next(changes.length)] ?? "") - next(60_000);
      const oracle = createTask(expression, () => undefined, { timezone: zone });
      const found = nextCron(expression, zone, near);
      expect([expression, oracle.match(new Date(found ?? Number.NaN))]).toEqual([expression, true]);
      for (
        let second = Math.floor(near / 1_000) * 1_000 + 1_000;
        second < Math.min(found ?? 0, near + 400_000);
        second += 1_000
      ) {
        const context = [expression, zone, iso(second)];
        expect([...context, oracle.match(new Date(second))]).toEqual([...context, false]);
      }
    }
  });

  it("runs a fixed time of day exactly once on every day, the days of change included", () => {
    for (let round = 0; round < 40; round++) {
      const minutes = next(24 * 60);
      const expression = `${minutes % 60} ${Math.floor(minutes / 60)} * * *`;
      const zone = zones[next(zones.length)] ?? "UTC";
      const from = at(changes[next(changes.length)] ?? "") - 2 * day;
      const oracle = createTask(expression, () => undefined, { timezone: zone });
      const date = new Intl.DateTimeFormat("en-CA", { timeZone: zone });
      const days: string[] = [];
      for (let tick = nextCron(expression, zone, from); tick !== undefined && days.length < 5;) {
        days.push(date.format(tick));
        // A tick that does not match stands for a skipped time: the clock jumped at that very moment.
        expect(oracle.match(new Date(tick)) || changes.map(at).includes(tick)).toBe(true);
        tick = nextCron(expression, zone, tick);
      }
      const first = Date.parse(`${days[0]}T00:00:00Z`);
      expect([expression, zone, days]).toEqual([
        expression,
        zone,
        days.map((_, index) => new Date(first + index * day).toISOString().slice(0, 10)),
      ]);
    }
  });
});

describe("previousCron", () => {
  it.each([
    ["0 9 * * 1-5", "UTC", "2026-11-23T09:00:00Z", "2026-11-20T09:00:00.000Z"],
    ["0 9 * * 1-5", "UTC", "2026-11-23T09:00:00.001Z", "2026-11-23T09:00:00.000Z"],
    ["* * * * * *", "UTC", "2026-11-20T09:00:00.500Z", "2026-11-20T09:00:00.000Z"],
    ["0 0 29 2 1", "UTC", "2044-02-29T00:00:00Z", "2016-02-29T00:00:00.000Z"],
  ])("S30 %s in %s before %s is %s", (expression, zone, before, expected) => {
    expect(iso(previousCron(expression, zone, at(before)))).toBe(expected);
  });

  it.each(["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"])(
    "S30 is the time whose next one is there, around changes of the clocks in %s too",
    (zone) => {
      for (const day of ["2026-03-08", "2026-03-29", "2026-04-05", "2026-10-25", "2026-11-01"])
        for (const expression of ["*/20 * * * *", "30 2 * * *", "15 1,2,3 * * *", "0 0 * * 1"])
          for (let hour = -2; hour < 28; hour += 3) {
            const tick = nextCron(expression, zone, at(`${day}T00:00:00Z`) + hour * 3_600_000) ?? 0;
            const previous = previousCron(expression, zone, tick) ?? 0;
            expect(previous, `${expression} ${iso(tick)}`).toBeLessThan(tick);
            expect(nextCron(expression, zone, previous), `${expression} ${iso(tick)}`).toBe(tick);
          }
    },
  );

  it("is undefined for what is no expression", () => {
    expect(previousCron("not cron", "UTC", 0)).toBeUndefined();
  });
});
