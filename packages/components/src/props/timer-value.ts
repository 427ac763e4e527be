import { invalidCron, type Json, type PropShape, type TimerValue } from "@x/model";
import { isRecord, shownValue } from "../shown-value.ts";

/** The default interval of timers (R055). */
const defaultIntervalSeconds = 3_600;
/** More than 300 years. In milliseconds it is still a safe integer. */
const longestIntervalSeconds = 10_000_000_000;

/** A timer, or the end of a sentence about a problem. An object that sets neither interval nor cron has neither. */
export interface ParsedTimer {
  readonly timer?: TimerValue;
  readonly problem?: string;
}

function parseInterval(interval: unknown): ParsedTimer {
  if (interval === undefined) return {};
  if (typeof interval !== "number" || !Number.isInteger(interval) || interval < 1) {
    return { problem: `must have intervalSeconds as an integer of at least 1, got ${shownValue(interval)}` };
  }
  if (interval > longestIntervalSeconds) {
    return { problem: `must have intervalSeconds of at most ${longestIntervalSeconds}, got ${interval}` };
  }
  return { timer: { cron: null, interval_seconds: interval } };
}

/** Reads `{intervalSeconds}`, `{interval_seconds}`, `{cron}`, `{cron, timezone}`, or a timer as responses show it. */
export function parseTimer(value: unknown, check: typeof invalidCron = invalidCron): ParsedTimer {
  if (!isRecord(value)) {
    return { problem: `must be {"intervalSeconds": <integer>} or {"cron": <expression>}, got ${shownValue(value)}` };
  }
  const field = (name: string): unknown => (Object.hasOwn(value, name) ? (value[name] ?? undefined) : undefined);
  const camel = field("intervalSeconds");
  const snake = field("interval_seconds");
  const cron = field("cron");
  const timezone = field("timezone");
  if (camel !== undefined && snake !== undefined && camel !== snake) {
    return { problem: "must not give two different intervals" };
  }
  const interval = camel ?? snake;
  if (timezone !== undefined && (typeof timezone !== "string" || cron === undefined)) {
    return { problem: `may have a timezone only as text beside cron, got ${shownValue(timezone)}` };
  }
  if (cron !== undefined) {
    if (typeof cron !== "string") return { problem: `must have cron as text, got ${shownValue(cron)}` };
    // Responses show cron timers with interval 0 (S3).
    if (interval !== undefined && interval !== 0) return { problem: "must have either cron or an interval, not both" };
    const problem = check(cron, timezone);
    if (problem !== undefined) return { problem: `has a cron expression that cannot be used: ${problem}` };
    return { timer: { cron, interval_seconds: 0, ...(timezone !== undefined && { timezone }) } };
  }
  return parseInterval(interval);
}

/** The schedule of the component: `static`, else `default`, else one hour. */
export function declaredTimer(prop: PropShape): TimerValue {
  for (const declared of [prop.static, prop.default]) {
    // The cron expression was checked when the shape was created.
    const parsed: ParsedTimer = declared === undefined ? {} : parseTimer(declared, () => undefined);
    if (parsed.timer) return parsed.timer;
  }
  return { cron: null, interval_seconds: defaultIntervalSeconds };
}

/** A timer as stored and shown. */
export const timerJson = (timer: TimerValue): { [key: string]: Json } => ({ ...timer });

/** True when two timers have the same schedule. */
export const sameTimer = (a: TimerValue, b: TimerValue): boolean =>
  a.cron === b.cron && a.interval_seconds === b.interval_seconds && (a.timezone ?? "UTC") === (b.timezone ?? "UTC");
