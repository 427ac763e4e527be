/** What a cron expression means, by stepping over every second of a day: slow, and without any library for cron. */

const monthNames = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const weekdayNames = "sun mon tue wed thu fri sat".split(" ");

interface Bounds {
  readonly low: number;
  readonly high: number;
  readonly names?: readonly string[];
}

const bounds: readonly Bounds[] = [
  { low: 0, high: 59 },
  { low: 0, high: 59 },
  { low: 0, high: 23 },
  { low: 1, high: 31 },
  { low: 1, high: 12, names: monthNames },
  { low: 0, high: 7, names: weekdayNames },
];

/** The values of each field: second, minute, hour, day of month, month, day of week from 0 for Sunday. */
interface Pattern {
  readonly fields: readonly ReadonlySet<number>[];
  /** True when minute and hour are numbers, ranges or lists of them: times of day. */
  readonly fixed: boolean;
}

const nicknames: { readonly [name: string]: string } = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

function valuesOf(text: string, { low, high, names = [] }: Bounds): ReadonlySet<number> {
  const numberOf = (word: string): number => {
    const index = names.indexOf(word);
    return index === -1 ? Number(word) : index + low;
  };
  const values = new Set<number>();
  for (const item of text.split(",")) {
    const [range = "", step = "1"] = item.split("/");
    const [first = "", last = first] = range.split("-");
    const [from, to] = range === "*" ? [low, high] : [numberOf(first), numberOf(last)];
    for (let value = from; value <= to; value += Number(step)) values.add(value);
  }
  return values;
}

/** Reads an expression that is valid. */
export function readPattern(expression: string): Pattern {
  const text = expression.trim().toLowerCase();
  const parts = (nicknames[text] ?? text).split(/[ \t]+/);
  const six = parts.length === 5 ? ["0", ...parts] : parts;
  const fields = six.map((part, index) => valuesOf(part, bounds[index] ?? { low: 0, high: 0 }));
  const weekdays = new Set([...(fields[5] ?? [])].map((day) => day % 7));
  return { fields: [...fields.slice(0, 5), weekdays], fixed: six.slice(1, 3).every((part) => !part.includes("*")) };
}

const minute = 60_000;
const quarter = 15 * minute;

/** The difference of local time and UTC, in ms. */
export function offsetsOf(zone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
  const known = new Map<number, number>();
  const at = (ms: number): number => {
    const found = known.get(ms);
    if (found !== undefined) return found;
    const part = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const local = Date.UTC(part["year"] ?? 0, (part["month"] ?? 0) - 1, part["day"], part["hour"], part["minute"]);
    known.set(ms, local - ms);
    return local - ms;
  };
  return (ms) => {
    const from = Math.floor(ms / quarter) * quarter;
    const offset = at(from);
    return offset === at(from + quarter) ? offset : at(Math.floor(ms / minute) * minute);
  };
}

function dateMatches({ fields }: Pattern, local: Date): boolean {
  const values = [local.getUTCDate(), local.getUTCMonth() + 1, local.getUTCDay()];
  return values.every((value, index) => fields[index + 3]?.has(value));
}

function matches(pattern: Pattern, local: number): boolean {
  const date = new Date(local);
  const values = [date.getUTCSeconds(), date.getUTCMinutes(), date.getUTCHours()];
  return dateMatches(pattern, date) && values.every((value, index) => pattern.fields[index]?.has(value));
}

/** True when the pattern has a time of day on the local day of which the clock skips some of [from, to). */
function skips(pattern: Pattern, from: number, to: number): boolean {
  for (let local = from; local < to; local += 1_000) if (matches(pattern, local)) return true;
  return false;
}

/**
 * The first time strictly after `after` and at most `until`. Every second whose local time matches is one. A time of day
 * that comes twice is only its first; those that the clock skips are the moment at which it jumps.
 */
export function walk(
  pattern: Pattern,
  offset: (ms: number) => number,
  after: number,
  until: number,
): number | undefined {
  const everyMinute = pattern.fields[0]?.size === 1 && pattern.fields[0].has(0);
  const step = everyMinute ? minute : 1_000;
  for (let ms = Math.floor(after / step) * step + step; ms <= until; ms += step) {
    const local = ms + offset(ms);
    const before = ms - 1 + offset(ms - 1) + 1;
    const jumps = pattern.fixed && local > before && skips(pattern, before, local);
    if (jumps) return ms;
    if (!matches(pattern, local)) continue;
    const wasThere = pattern.fixed && hadLocalTime(local, ms, offset);
    if (!wasThere) return ms;
  }
  return undefined;
}

/** True when the clock has shown this local time before. */
function hadLocalTime(local: number, ms: number, offset: (ms: number) => number): boolean {
  for (let back = quarter; back <= 4 * 4 * quarter; back += quarter) {
    const former = local - offset(ms - back);
    if (former < ms && former + offset(former) === local) return true;
  }
  return false;
}
