import { UsageError } from "../errors.ts";

const milliseconds: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["s", 1_000],
  ["m", 60_000],
  ["h", 3_600_000],
]);
const bytes: ReadonlyMap<string, number> = new Map([
  ["b", 1],
  ["kb", 1024],
  ["mb", 1024 ** 2],
  ["gb", 1024 ** 3],
]);

function parseQuantity(flag: string, text: string, units: ReadonlyMap<string, number>, examples: string): number {
  const [, count, unit = ""] = /^(\d+(?:\.\d+)?)([a-z]+)$/i.exec(text) ?? [];
  const value = Math.round(Number(count) * (units.get(unit.toLowerCase()) ?? Number.NaN));
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new UsageError(`--${flag} must be like ${examples}, got "${text}"`);
}

/** `250ms`, `2s`, `5m`, `1h` in milliseconds. Throws `UsageError`. */
export const parseDuration = (flag: string, text: string): number =>
  parseQuantity(flag, text, milliseconds, "250ms, 2s, 5m or 1h");

/** `512kb`, `64mb`, `1gb` in bytes. Throws `UsageError`. */
export const parseSize = (flag: string, text: string): number => parseQuantity(flag, text, bytes, "512kb, 64mb or 1gb");

/** An integer from `min` to `max`. Throws `UsageError`. */
export function parseInteger(flag: string, text: string, min: number, max: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new UsageError(`--${flag} must be a whole number from ${min} to ${max}, got "${text}"`);
}

/** One of the choices. Throws `UsageError`. */
export function parseChoice<const Choice extends string>(
  flag: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw new UsageError(`--${flag} must be ${choices.join(" or ")}, got "${text}"`);
}

const dayMs = 24 * 60 * 60 * 1000;

/** Midnight UTC of a day such as 2026-11-01, in epoch milliseconds; NaN for an invalid day. */
function parseDay(text: string): number {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // `Date.parse` reads February 30 as a day in March.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text) ? at : Number.NaN;
}

/** `2026-11-01..2026-12-01` in epoch milliseconds: from the first day up to, but not including, the last. Throws `UsageError`. */
export function parsePeriod(flag: string, text: string): { readonly start: number; readonly end: number } {
  const [start = "", end = "", ...rest] = text.split("..");
  const period = { start: parseDay(start), end: parseDay(end) };
  if (rest.length === 0 && period.end - period.start >= dayMs) return period;
  throw new UsageError(`--${flag} must be two days in order, such as 2026-11-01..2026-12-01, got "${text}"`);
}

/** A period as text, such as `2026-11-01..2026-12-01`. */
export const periodText = (startSeconds: number, endSeconds: number): string =>
  [startSeconds, endSeconds].map((seconds) => new Date(seconds * 1000).toISOString().slice(0, 10)).join("..");
