import type { Json, TimerValue } from "../model/model.ts";
import { nextCron, previousCron } from "../model/cron.ts";

/** When a timer fires next. `lastAt` is the scheduled time of the tick before, at first the time of the deploy. */
export interface NextTick {
  readonly at: number;
  readonly lastAt: number;
}

/** The first tick of a new schedule: one interval later, or the next cron match; never at once (G39). */
export function firstTick(timer: TimerValue, nowMs: number): NextTick | undefined {
  return nextTick(timer, nowMs, nowMs);
}

/**
 * The tick after the one scheduled at `lastAtMs`. It stays on the grid of that tick (4.7) and lies in the future:
 * ticks missed while nothing ran are one tick, the overdue one itself (G41). Undefined when a cron has no further match.
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

/** True when both fire at the same times. */
export function isSameSchedule(a: TimerValue, b: TimerValue): boolean {
  if (a.cron === null && b.cron === null) return a.interval_seconds === b.interval_seconds;
  return a.cron === b.cron && (a.timezone ?? "UTC") === (b.timezone ?? "UTC");
}

/** The next tick after an update: an unchanged schedule keeps its countdown (G39). */
export function tickAfterUpdate(
  previous: { readonly timer: TimerValue; readonly next: NextTick } | undefined,
  timer: TimerValue,
  nowMs: number,
): NextTick | undefined {
  return previous && isSameSchedule(previous.timer, timer) ? previous.next : firstTick(timer, nowMs);
}

/**
 * The tick after the wall clock was set by so much: an interval goes on, as it did move along with the clock, and a cron
 * has its time by the clock. One that the clock has left out is overdue; one that it shows again comes again.
 */
export function tickAfterStep(timer: TimerValue, moved: NextTick, byMs: number, nowMs: number): NextTick | undefined {
  if (timer.cron === null) return moved;
  if (byMs > 0) return { at: moved.at - byMs, lastAt: moved.lastAt - byMs };
  const next = firstTick(timer, nowMs);
  return next && { at: next.at, lastAt: next.at };
}

/** The same for a clock that was set back while nothing ran: the tick before lies in the future. */
export function isLeftBehind({ at, lastAt }: NextTick, nowMs: number): boolean {
  return lastAt !== at && lastAt > nowMs;
}

/**
 * The event given to `run` (4.7, S3, S30): whole seconds. A cron's `interval_seconds` is the time since the tick before; when
 * none has run (`previousMs` is absent), since the scheduled time before.
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
