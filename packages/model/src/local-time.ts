import { LRUCache } from "lru-cache";

/** Local times are numbers: what a clock on the wall shows, as if it were UTC, in epoch milliseconds. */

const hour = 3_600_000;
/** A change of the clocks shifts them by less; in it, an instant and its local time differ by less than that and 14 hours. */
const longestShift = 13 * hour;
const farthestZone = 14 * hour;

const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 64 });

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const numeric = "numeric";
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  });
  formats.set(timeZone, format);
  return format;
}

/** Milliseconds by which local time is ahead of UTC at an instant. */
function offsetAt(timezone: string, at: number): number {
  const second = Math.floor(at / 1_000) * 1_000;
  const parts = new Map(
    formatOf(timezone)
      .formatToParts(second)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const [year, month, day, hours, minutes, seconds] = (
    ["year", "month", "day", "hour", "minute", "second"] as const
  ).map((type) => parts.get(type) ?? 0) as [number, number, number, number, number, number];
  return Date.UTC(year, month - 1, day, hours, minutes, seconds) - second;
}

/** A change of the clocks. */
interface Change {
  readonly at: number;
  readonly before: number;
  readonly after: number;
}

/** The change between two instants; undefined when the offset is the same. */
function changeBetween(timezone: string, from: number, to: number): Change | undefined {
  const before = offsetAt(timezone, from);
  const after = offsetAt(timezone, to);
  if (before === after) return undefined;
  let [low, high] = [Math.floor(from / 1_000), Math.ceil(to / 1_000)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(timezone, middle * 1_000) === before) low = middle;
    else high = middle;
  }
  return { at: high * 1_000, before, after };
}

/** The latest local time that clocks in the zone have shown until an instant: later than now after they went back. */
export function latestLocal(timezone: string, at: number): number {
  const change = changeBetween(timezone, at - longestShift, at);
  const local = at + offsetAt(timezone, at);
  // Until the change they came close to that time, and did not show it.
  return change ? Math.max(local, change.at + change.before - 1) : local;
}

/** The first instant at which clocks in the zone show a local time or a later one. */
export function firstInstant(timezone: string, local: number): number {
  const reach = farthestZone + longestShift;
  const change = changeBetween(timezone, local - reach, local + reach);
  if (!change) return local - offsetAt(timezone, local);
  const first = local - change.before;
  return first < change.at ? first : Math.max(change.at, local - change.after);
}
