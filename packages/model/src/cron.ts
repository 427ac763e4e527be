import { createRequire } from "node:module";

import type { Cron } from "croner";
import { LRUCache } from "lru-cache";
import type { validate } from "node-cron";

import { firstInstant, latestLocal } from "./local-time.ts";

const longestExpression = 200;
const longestList = 60;
const longestZone = 64;

const number = "\\d{1,2}";
const monthName = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)";
const weekdayName = "(?:sun|mon|tue|wed|thu|fri|sat)";
const itemForm = (value: string): RegExp => new RegExp(`^(?:\\*|${value}|${value}-${value})(?:/${number})?$`, "i");
const plainItem = itemForm(number);

/** Nicknames that both libraries expand to the same fields. */
const nicknames = new Set(["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"]);

const fields = [
  { name: "second", item: plainItem, last: 59 },
  { name: "minute", item: plainItem, last: 59 },
  { name: "hour", item: plainItem, last: 23 },
  { name: "day of month", item: plainItem, last: 31 },
  { name: "month", item: itemForm(`(?:${number}|${monthName})`), last: 12 },
  { name: "day of week", item: itemForm(`(?:${number}|${weekdayName})`), last: 6 },
] as const;

const show = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

interface Schedule {
  readonly pattern: string;
  /** True when hours and minutes are listed: such times of day run once a day, also when clocks change. */
  readonly isFixed: boolean;
}

type Checked = Schedule | { readonly problem: string };

const isWild = (part: string | undefined): boolean => /(?:^|,)\*/.test(part ?? "");

/** A grammar of our own, before any library sees the text: some expressions end the whole process. */
function checkGrammar(expression: string): Checked {
  if (expression.length > longestExpression)
    return { problem: `the cron expression is longer than ${longestExpression} characters` };
  const pattern = expression.trim().toLowerCase();
  if (nicknames.has(pattern)) return { pattern, isFixed: pattern !== "@hourly" };
  const parts = pattern.split(/[ \t]+/);
  if (parts.length !== 5 && parts.length !== 6) {
    return {
      problem: `a cron expression has 5 fields, or 6 with seconds, but ${show(expression)} has ${parts.length}`,
    };
  }
  for (const [index, part] of parts.entries()) {
    const field = fields[index + 6 - parts.length];
    const items = part.split(",");
    if (!field || items.length > longestList)
      return { problem: `the ${field?.name ?? "last"} field has more than ${longestList} items` };
    const wrong = items.find((item) => !field.item.test(item));
    if (wrong !== undefined) return { problem: `${show(wrong)} is not valid in the ${field.name} field` };
    const [, from, step] = items.flatMap((item) => [/^([^*/-]+)\/(\d+)$/.exec(item) ?? []]).find(([all]) => all) ?? [];
    if (from !== undefined)
      return {
        problem: `"${from}/${step}" is not valid in the ${field.name} field: a step needs a range or *: write ${from}-${field.last}/${step}`,
      };
  }
  const [minutes, hours] = parts.slice(-5);
  return { pattern: parts.join(" "), isFixed: !isWild(minutes) && !isWild(hours) };
}

const require = createRequire(import.meta.url);
/** Loaded with the first expression, as is `croner`: most programs have none. */
const nodeCron = (): { validate: typeof validate } => require("node-cron") as { validate: typeof validate };
const croner = (): { Cron: typeof Cron } => require("croner") as { Cron: typeof Cron };

/** Parsed patterns; each holds about 80 kB, so only few are kept. */
const jobs = new LRUCache<string, Cron>({ max: 64 });

function parsePattern(pattern: string, timezone: string): Cron {
  const key = `${timezone} ${pattern}`;
  const known = jobs.get(key);
  if (known) return known;
  // Like node-cron, day of month and day of week must both match.
  const job = new (croner().Cron)(pattern, { timezone, domAndDow: true, paused: true });
  jobs.set(key, job);
  return job;
}

/** True when both the day of the month and the day of the week are restricted: days must match both. */
export function matchesBothDays(expression: string): boolean {
  const parts = expression.trim().split(/[ \t]+/);
  return parts.length >= 5 && ![parts.at(-3), parts.at(-1)].some((part) => /(?:^|,)\*(?:\/1)?(?:,|$)/.test(part ?? ""));
}

/** Says why a time zone is not known; undefined when it is. */
export function invalidTimezone(timezone: string): string | undefined {
  if (timezone.length > 0 && timezone.length <= longestZone) {
    try {
      new Intl.DateTimeFormat("en-US", { timeZone: timezone }).format(0);
      return undefined;
    } catch {
      // Falls through: the name is unknown.
    }
  }
  return `${show(timezone)} is not a time zone; expected an IANA name such as "Europe/Berlin"`;
}

/** Says why an expression or its time zone cannot be used; undefined when node-cron and croner both read it. */
export function invalidCron(expression: string, timezone?: string): string | undefined {
  const checked = checkGrammar(expression);
  if ("problem" in checked) return checked.problem;
  if (timezone !== undefined) {
    const problem = invalidTimezone(timezone);
    if (problem) return problem;
  }
  if (!nodeCron().validate(checked.pattern))
    return `${show(expression)} is not a valid cron expression: a value is out of range, or no date matches`;
  try {
    if (parsePattern(checked.pattern, timezone ?? "UTC").nextRun(new Date(0))) return undefined;
    return `${show(expression)} never matches a date`;
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^CronPattern: /, "") : String(error);
    return `${show(expression)} is not a valid cron expression: ${reason}`;
  }
}

/** The first scheduled time strictly after an instant, of a schedule that keeps its rhythm when clocks change. */
const nextRun = (pattern: string, timezone: string, afterMs: number): number | undefined =>
  parsePattern(pattern, timezone).nextRun(new Date(afterMs))?.getTime();

/** As `nextRun`, strictly before an instant. Times are whole seconds there: what is within a second comes after its beginning. */
const previousRun = (pattern: string, timezone: string, beforeMs: number): number | undefined =>
  parsePattern(pattern, timezone)
    .previousRuns(1, new Date(Math.ceil(beforeMs / 1_000) * 1_000))[0]
    ?.getTime();

const instantOf = (timezone: string, local: number | undefined): number | undefined =>
  local === undefined ? undefined : firstInstant(timezone, local);

/**
 * The first scheduled time strictly after an instant; undefined when there is none or the expression is not valid.
 * On the day clocks go forward, times of day that are skipped run once when the clock has jumped; on the day they go back, a
 * repeated one runs at its first occurrence. Schedules with `*` in hour or minute keep their rhythm.
 */
export function nextCron(expression: string, timezone: string | undefined, afterMs: number): number | undefined {
  const checked = checkGrammar(expression);
  if ("problem" in checked) return undefined;
  const { pattern, isFixed } = checked;
  try {
    if (!isFixed || timezone === undefined) return nextRun(pattern, timezone ?? "UTC", afterMs);
    return instantOf(timezone, nextRun(pattern, "UTC", latestLocal(timezone, afterMs)));
  } catch {
    return undefined;
  }
}

/** The last scheduled time strictly before an instant: `nextCron` of it is that instant or later. Undefined as above. */
export function previousCron(expression: string, timezone: string | undefined, beforeMs: number): number | undefined {
  const checked = checkGrammar(expression);
  if ("problem" in checked) return undefined;
  const { pattern, isFixed } = checked;
  try {
    if (!isFixed || timezone === undefined) return previousRun(pattern, timezone ?? "UTC", beforeMs);
    // The last one that clocks have shown a millisecond earlier, at the latest.
    return instantOf(timezone, previousRun(pattern, "UTC", latestLocal(timezone, beforeMs - 1) + 1));
  } catch {
    return undefined;
  }
}
