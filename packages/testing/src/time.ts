import { HarnessError } from "./harness-error.ts";

/** A length of time: milliseconds, or text such as `500ms`, `3m`, `1h 30m`, `2d`. */
export type Duration = number | string;

/** A point in time: a `Date`, epoch milliseconds, or ISO 8601 text. */
export type Instant = Date | number | string;

const unitsMs: { readonly [unit: string]: number } = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const durationForm = /^\s*(?:\d+(?:\.\d+)?\s*(?:ms|[smhdw])\s*)+$/;
const durationPart = /(\d+(?:\.\d+)?)\s*(ms|[smhdw])/g;

/** A duration in milliseconds. Throws `HarnessError` when it is malformed or negative. */
export function parseDuration(given: Duration): number {
  const ms = typeof given === "number" ? given : durationOfText(given);
  if (Number.isSafeInteger(ms) && ms >= 0) return ms;
  throw new HarnessError(
    `A duration is milliseconds or text such as "500ms", "3m", "1h 30m" or "2d", got ${JSON.stringify(given)}.`,
  );
}

function durationOfText(text: string): number {
  if (!durationForm.test(text)) return Number.NaN;
  let sum = 0;
  for (const [, amount, unit = ""] of text.matchAll(durationPart))
    sum += Number(amount) * (unitsMs[unit] ?? Number.NaN);
  return Math.round(sum);
}

/** Epoch milliseconds. Text without a zone is UTC, so that a test does not depend on the machine's zone. */
export function parseInstant(given: Instant): number {
  const ms = given instanceof Date ? given.getTime() : typeof given === "number" ? given : instantOfText(given);
  if (Number.isSafeInteger(ms)) return ms;
  throw new HarnessError(
    `"now" is a Date, epoch milliseconds or text such as "2026-01-01T00:00:00Z", got ${JSON.stringify(given)}.`,
  );
}

function instantOfText(text: string): number {
  const hasNoZone = /^\d{4}-\d\d-\d\dT[\d:.]+$/.test(text);
  return Date.parse(hasNoZone ? `${text}Z` : text);
}
