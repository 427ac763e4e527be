import { HarnessError } from "./harness-error.ts";

/** A point in time: a `Date`, epoch milliseconds, or ISO 8601 text. */
export type Moment = Date | number | string;

/** Epoch milliseconds. Text without a zone is UTC, so that tests give the same wherever they run. */
export function parseMoment(given: Moment): number {
  const ms = given instanceof Date ? given.getTime() : typeof given === "number" ? given : parseText(given);
  if (Number.isSafeInteger(ms)) return ms;
  throw new HarnessError(
    `"now" is a Date, epoch milliseconds or text such as "2026-01-01T00:00:00Z", got ${JSON.stringify(given)}.`,
  );
}

function parseText(text: string): number {
  const isLocal = /^\d{4}-\d\d-\d\dT[\d:.]+$/.test(text);
  return Date.parse(isLocal ? `${text}Z` : text);
}
