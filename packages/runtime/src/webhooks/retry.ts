import { XError } from "../model/errors.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long after the attempt before each attempt follows: ten over 75 h 35 min (G13). */
export const standardSchedule: readonly number[] = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** The schedule of the options, or the standard one; throws `invalid_options` for anything but times to wait. */
export function parseSchedule(given: readonly number[] | undefined): readonly number[] {
  if (given === undefined) return standardSchedule;
  const isWait = (wait: unknown): boolean => typeof wait === "number" && Number.isFinite(wait) && wait >= 0;
  if (Array.isArray(given) && given.length > 0 && given.every(isWait)) return given;
  const expected = "a list of milliseconds before each attempt, at least one";
  throw new XError("invalid_options", ["deliverySchedule", expected, JSON.stringify(given)]);
}

/** So many endpoints that failed together do not come back together. */
const jitter = 0.2;
const longestRetryAfterMs = 24 * hour;

/** When a receiver asks for the next attempt, by its `Retry-After`: seconds or a date; at most 24 h away (S19). */
export function parseRetryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const at = /^\s*\d{1,12}\s*$/.test(text) ? now + Number(text) * second : Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.min(at, now + longestRetryAfterMs);
}

export interface FailedAttempt {
  /** Attempts made, with the one that failed. */
  readonly made: number;
  readonly now: number;
  readonly retryAfter: string | undefined;
  readonly schedule: readonly number[];
  /** From 0 to below 1. */
  readonly random: number;
}

/** When the next attempt follows; undefined when the last one was made. */
export function nextAttemptAt({ made, now, retryAfter, schedule, random }: FailedAttempt): number | undefined {
  const delay = schedule[made];
  if (delay === undefined) return undefined;
  const planned = Math.round(now + delay * (1 + jitter * random));
  return Math.max(planned, parseRetryAfter(retryAfter, now) ?? planned);
}
