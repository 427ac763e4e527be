import { nextCron, previousCron, type Json, type TimerValue } from "@x/model";

/** When a timer fires next, epoch ms. `lastAt` is the scheduled time of the previous tick, at first the time of the deploy. */
export interface NextTick {
  readonly at: number;
  readonly lastAt: number;
}

/** The first tick of a new schedule: one interval later, or at the next cron match; never at once. */
export function firstTick(timer: TimerValue, nowMs: number): NextTick | undefined {
  return nextTick(timer, nowMs, nowMs);
}

/**
 * The tick after the one scheduled at `lastAtMs`. It is a whole number of intervals after that tick and in the future:
 * missed ticks are replaced by one catch-up tick, the overdue one. Undefined when a cron has no further match.
 */
export function nextTick(timer: TimerValue, lastAtMs: number, nowMs: number): NextTick | undefined {
  if (timer.cron !== null) {
    const at = nextCron(timer.cron, timer.timezone, Math.max(lastAtMs, nowMs));
    return at === undefined ? undefined : { at, lastAt: lastAtMs };
  }
  const interval = timer.interval_seconds * 1_000;
  const missed = Math.max(0, Math.floor((nowMs - lastAtMs) / interval));
  return { at: lastAtMs + (missed + 1) * interval, lastAt: lastAtMs };
}

/** The times at which a timer fires, from the next one on; fewer than `most` when a cron has no further match. */
export function ticksFrom(timer: TimerValue, next: number, most: number): readonly number[] {
  const ticks: number[] = [];
  for (let at: number | undefined = next; at !== undefined && ticks.length < most;) {
    ticks.push(at);
    at = nextTick(timer, at, at)?.at;
  }
  return ticks;
}

/** True when both fire at the same times. */
export function isSameSchedule(a: TimerValue, b: TimerValue): boolean {
  if (a.cron === null && b.cron === null) return a.interval_seconds === b.interval_seconds;
  return a.cron === b.cron && (a.timezone ?? "UTC") === (b.timezone ?? "UTC");
}

/** The next tick after an update: an unchanged schedule keeps its countdown. */
export function tickAfterUpdate(
  previous: { readonly timer: TimerValue; readonly next: NextTick } | undefined,
  timer: TimerValue,
  nowMs: number,
): NextTick | undefined {
  return previous && isSameSchedule(previous.timer, timer) ? previous.next : firstTick(timer, nowMs);
}

/**
 * The next tick after the system clock was set by `byMs`; `moved` is the previous value, shifted by `byMs`. An interval
 * continues. A cron follows the new time: a skipped tick is overdue, a tick whose time comes again is repeated.
 */
export function tickAfterStep(timer: TimerValue, moved: NextTick, byMs: number, nowMs: number): NextTick | undefined {
  if (timer.cron === null) return moved;
  if (byMs > 0) return { at: moved.at - byMs, lastAt: moved.lastAt - byMs };
  const next = firstTick(timer, nowMs);
  return next && { at: next.at, lastAt: next.at };
}

/** True when the clock was set back while no process ran: the previous tick is in the future. */
export function isLeftBehind({ at, lastAt }: NextTick, nowMs: number): boolean {
  return lastAt !== at && lastAt > nowMs;
}

/**
 * The event of `run`, in whole seconds. A cron's `interval_seconds` is the time since the previous tick; without one
 * (`previousMs` is absent), since the previous scheduled time.
 */
export function timerEvent(timer: TimerValue, scheduledMs: number, previousMs?: number): { [field: string]: Json } {
  const seconds = (ms: number): number => Math.floor(ms / 1_000);
  const timestamp = seconds(scheduledMs);
  if (timer.cron === null) return { timestamp, interval_seconds: timer.interval_seconds };
  const timezone = timer.timezone ?? "UTC";
  const previous = previousMs ?? previousCron(timer.cron, timezone, scheduledMs) ?? scheduledMs;
  const span = timestamp - seconds(previous);
  return { timestamp, interval_seconds: Math.max(1, span), cron: timer.cron, timezone };
}
