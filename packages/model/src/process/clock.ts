import { uptime } from "node:os";

/** The only source of wall time and of wake-ups in the runtime. */
export interface Clock {
  /** Epoch milliseconds; the runtime drops fractions. */
  now(): number;
  /**
   * Calls `wake` once after the time that is now left until `at`, even if the clock is set meanwhile. Delays may exceed
   * 2^31 ms. Returns a cancel function.
   */
  wakeAt(at: number, wake: () => void): () => void;
  /** Monotonic milliseconds from any start. Absent if `now()` is never set. */
  elapsed?(): number;
  /**
   * Most milliseconds that one call may skip while a component waits only for its own timers (`setTimeout`): the next one
   * fires at once, and `Date` moves on. Longer waits time out. Default: 0, timers take real time.
   */
  readonly mostSkippedMs?: number;
}

/** Timeouts stop while the machine sleeps, so the elapsed time is checked this often. */
const longestDelayMs = 60_000;
/** A larger change of the wall clock against the monotonic clock is a step, not an adjustment. */
const leastStepMs = 1_000;

const wallOffset = (): number => Date.now() - performance.now();
const sleptSoFar = (): number => uptime() * 1_000 - performance.now();

/** Measures elapsed time with the sleep of the machine, which is read again after a step of the wall clock. */
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
    // 0.01 absorbs rounding errors of fractions.
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

/** The same clock, except that it continues when the clock is set back, until the clock has caught up. */
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

/** Returns a function that returns by how many ms the clock was set since its last call; 0 for none. */
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
 * Makes a signal that is aborted after a real time, because a manual clock does not move other machines. Unlike
 * `AbortSignal.timeout` it keeps the process alive until `letGo`.
 */
export function deadlineAfter(ms: number): { readonly signal: AbortSignal; letGo(): void } {
  const controller = new AbortController();
  return { signal: controller.signal, letGo: afterRealTime(ms, () => controller.abort()) };
}

/** A wait is looked at this often; a longer delay between two looks counts as two of them. */
const lookMs = 1_000;

/**
 * Calls `work` once after `ms` of real time, in which the process was not stopped (SIGSTOP, a paused container, a machine
 * that sleeps). Returns a cancel function.
 */
export function afterRealTime(ms: number, work: () => void): () => void {
  let timer: NodeJS.Timeout;
  const look = (left: number): void => {
    const since = performance.now();
    const delay = Math.min(left, lookMs);
    timer = setTimeout(() => {
      const rest = left - Math.min(performance.now() - since, delay + lookMs);
      if (rest > 0) look(Math.ceil(rest));
      else work();
    }, delay);
  };
  look(ms);
  return () => clearTimeout(timer);
}

/** The clock in whole milliseconds, as ids and stores use them. */
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

/** Monotonic milliseconds; for durations only. */
export const monotonicMs = (): number => performance.now();

/** A clock that moves only by `advance`. Wake-ups run in order of their time. */
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
      // A due wake-up needs no advance. It runs after the caller, as with a real clock.
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

/** All wake-ups beyond this number run together at the end. */
const mostSteps = 10_000;

/** Result of `advanceInSteps`. */
export interface Advanced {
  readonly steps: number;
  /** True if there were more steps than the limit: later ticks of one source were combined, as after downtime. */
  readonly coalesced: boolean;
}

/**
 * Moves the clock to the time of each wake-up in order, and then by `ms` in all. Calls `settled` after each step and waits
 * until its work is done.
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
