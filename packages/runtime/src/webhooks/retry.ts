import { XError } from "@x/model";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Milliseconds between each attempt and the previous one: ten attempts in 75 h 35 min. */
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

/** The schedule of the options, or the standard one. Throws `invalid_options` unless it is a list of milliseconds. */
export function parseSchedule(given: readonly number[] | undefined): readonly number[] {
  if (given === undefined) return standardSchedule;
  const isWait = (wait: unknown): boolean => typeof wait === "number" && Number.isFinite(wait) && wait >= 0;
  if (Array.isArray(given) && given.length > 0 && given.every(isWait)) return given;
  const expected = "a list of milliseconds before each attempt, at least one";
  throw new XError("invalid_options", ["deliverySchedule", expected, JSON.stringify(given)]);
}

/** At most this fraction is added to each delay, so that deliveries that failed together are not repeated together. */
const jitter = 0.2;
const longestRetryAfterMs = 24 * hour;

/** The time that a `Retry-After` header asks for, in seconds or as a date; at most 24 h after `now`. */
export function parseRetryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const at = /^\s*\d{1,12}\s*$/.test(text) ? now + Number(text) * second : Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.min(at, now + longestRetryAfterMs);
}

const withJitter = (delay: number, random: number): number => delay * (1 + jitter * random);

/** The time of the first attempt. `random`: from 0 to below 1. */
export const firstAttemptAt = ([delay = 0]: readonly number[], now: number, random: number): number =>
  Math.round(now + withJitter(delay, random));

export interface FailedAttempt {
  /** Attempts so far, the failed one included. */
  readonly made: number;
  readonly now: number;
  readonly retryAfter: string | undefined;
  readonly schedule: readonly number[];
  /** From 0 to below 1. */
  readonly random: number;
}

/** The time of the next attempt; undefined after the last one. */
export function nextAttemptAt({ made, now, retryAfter, schedule, random }: FailedAttempt): number | undefined {
  const delay = schedule[made];
  if (delay === undefined) return undefined;
  const planned = Math.round(now + withJitter(delay, random));
  return Math.max(planned, parseRetryAfter(retryAfter, now) ?? planned);
}
