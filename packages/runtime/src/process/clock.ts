import { uptime } from "node:os";

/** The only source of wall time and of wake-ups in the runtime. */
export interface Clock {
  /** Epoch milliseconds; the runtime leaves out what is less than one. */
  now(): number;
  /**
   * Calls `wake` once when so much time has passed as there is now until `at`, whatever the clock is set to meanwhile; delays
   * beyond 2^31 ms are fine. Returns a cancel function.
   */
  wakeAt(at: number, wake: () => void): () => void;
  /** Milliseconds that have passed since some time, which is never set; absent: `now()` is never set. */
  elapsed?(): number;
  /**
   * Components do not wait for their own timers (`setTimeout`): with nothing else to wait for, the next is due at once,
   * and their `Date` is there. One call may skip so many ms; what waits longer times out. Default 0: timers take real time.
   */
  readonly mostSkippedMs?: number;
}

/** Timeouts do not count while the machine sleeps, so what has passed is looked at now and then. */
const longestDelayMs = 60_000;
/** A difference of wall time and timeouts that is more than their being adjusted. */
const leastStepMs = 1_000;

const wallOffset = (): number => Date.now() - performance.now();
const sleptSoFar = (): number => uptime() * 1_000 - performance.now();

/** Passed time with that in which the machine slept, which is looked up when the wall clock says that something has happened. */
function createElapsed(): () => number {
  let offset = wallOffset();
  const sleptBefore = sleptSoFar();
  let slept = 0;
  return () => {
    const current = wallOffset();
    if (Math.abs(current - offset) >= leastStepMs) {
      offset = current;
      slept = Math.max(slept, sleptSoFar() - sleptBefore);
    }
    return performance.now() + slept;
  };
}

const elapsed = createElapsed();

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed,
  wakeAt(at, wake) {
    let handle: NodeJS.Timeout;
    const due = elapsed() + (at - Date.now());
    // Of sums of fractions.
    const left = (): number => Math.max(0, Math.ceil(due - elapsed() - 0.01));
    const arm = (): void => {
      const delay = left();
      if (delay > longestDelayMs) handle = setTimeout(arm, longestDelayMs);
      else handle = setTimeout(() => (left() > 0 ? arm() : wake()), delay);
    };
    arm();
    return () => clearTimeout(handle);
  },
};

/** The same clock, which goes on when it is set back: until it has caught up, so that what was to come in a while still does. */
export function neverBack(clock: Clock): Clock {
  const { elapsed: passed } = clock;
  if (!passed) return clock;
  let offset = Number.NEGATIVE_INFINITY;
  const now = (): number => {
    offset = Math.max(offset, clock.now() - passed());
    return Math.floor(passed() + offset);
  };
  return { now, wakeAt: (at, wake) => clock.wakeAt(clock.now() + (at - now()), wake) };
}

/** Tells by how much a clock was set since it was last asked; 0: it was not. */
export function createSteps(clock: Clock): () => number {
  const { elapsed: passed } = clock;
  if (!passed) return () => 0;
  let offset = clock.now() - passed();
  return () => {
    const step = clock.now() - passed() - offset;
    if (Math.abs(step) < leastStepMs) return 0;
    offset += step;
    return Math.round(step);
  };
}

/**
 * A signal that is aborted after a time, in real time: a clock that is moved by hand does not move other machines. Until it
 * is let go it keeps the process alive, for somebody waits; `AbortSignal.timeout` does not.
 */
export function deadlineAfter(ms: number): { readonly signal: AbortSignal; letGo(): void } {
  const controller = new AbortController();
  const letGo = systemClock.wakeAt(systemClock.now() + ms, () => controller.abort());
  return { signal: controller.signal, letGo };
}

/** The clock in whole milliseconds, as ids and stores have them, whatever it tells. */
export function inWholeMs(clock: Clock): Clock {
  if (clock === systemClock) return clock;
  const { mostSkippedMs } = clock;
  return {
    now: () => Math.floor(clock.now()),
    wakeAt: (at, wake) => clock.wakeAt(at, wake),
    ...(clock.elapsed && { elapsed: () => clock.elapsed?.() ?? 0 }),
    ...(mostSkippedMs !== undefined && { mostSkippedMs }),
  };
}

/** Milliseconds on a clock that never steps; for durations only. */
export const monotonicMs = (): number => performance.now();

/** A clock that moves only when told; wake-ups fire in order of their time. */
export interface ManualClock extends Clock {
  /** Moves to the time of each wake-up on the way, then to `now() + ms`. */
  advance(ms: number): void;
  /** The time of the next wake-up, if any. */
  next(): number | undefined;
}

export function manualClock(startMs: number, options: Pick<Clock, "mostSkippedMs"> = {}): ManualClock {
  let current = startMs;
  const waiting = new Map<symbol, { at: number; wake: () => void }>();
  const earliest = (): [symbol, { at: number; wake: () => void }] | undefined => {
    let found: [symbol, { at: number; wake: () => void }] | undefined;
    for (const entry of waiting) if (!found || entry[1].at < found[1].at) found = entry;
    return found;
  };
  return {
    ...options,
    now: () => current,
    wakeAt(at, wake) {
      const key = Symbol("wake-up");
      waiting.set(key, { at, wake });
      // What is due already needs no advance; it comes after the caller, as from a real clock.
      if (at <= current) queueMicrotask(() => waiting.delete(key) && wake());
      return () => waiting.delete(key);
    },
    advance(ms) {
      const target = current + ms;
      for (let due = earliest(); due && due[1].at <= target; due = earliest()) {
        waiting.delete(due[0]);
        current = Math.max(current, due[1].at);
        due[1].wake();
      }
      current = target;
    },
    next: () => earliest()?.[1].at,
  };
}

/** Beyond so many, what falls due comes at once at the end. */
const mostSteps = 10_000;

/** How far a clock came by steps. */
export interface Advanced {
  readonly steps: number;
  /** There were more than it takes: ticks of one source that fell due after the last one coalesced, as after downtime. */
  readonly coalesced: boolean;
}

/**
 * Moves the clock as if time passed: to each time at which something falls due, in order, and on when `settled` says that
 * it has run.
 */
export async function advanceInSteps(
  clock: ManualClock,
  ms: number,
  settled: () => Promise<unknown>,
  most: number = mostSteps,
): Promise<Advanced> {
  const target = clock.now() + ms;
  await settled();
  const due = (): number => clock.next() ?? Infinity;
  let steps = 0;
  for (; steps < most && due() <= target; steps++) {
    clock.advance(Math.max(0, due() - clock.now()));
    await settled();
  }
  const coalesced = due() <= target;
  clock.advance(Math.max(0, target - clock.now()));
  await settled();
  return { steps, coalesced };
}
