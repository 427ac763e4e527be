import { UsageError } from "./usage-error.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** Midnight UTC of a day like 2026-11-01; NaN for what is no day of the calendar. */
function parseDay(text: string): number {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // The parser takes February 30 for a day in March.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text) ? at : Number.NaN;
}

/** `2026-11-01..2026-12-01` in epoch milliseconds: from the first day up to, but not including, the last. */
export function parsePeriod(flag: string, text: string): { readonly start: number; readonly end: number } {
  const [start = "", end = "", ...rest] = text.split("..");
  const period = { start: parseDay(start), end: parseDay(end) };
  if (rest.length === 0 && period.end - period.start >= dayMs) return period;
  throw new UsageError(`--${flag} must be two days in order, such as 2026-11-01..2026-12-01, got "${text}"`);
}

/** The days of a period as they are given. */
export const periodText = (startSeconds: number, endSeconds: number): string =>
  [startSeconds, endSeconds].map((seconds) => new Date(seconds * 1000).toISOString().slice(0, 10)).join("..");
