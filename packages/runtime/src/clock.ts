import { performance } from "node:perf_hooks";

/** The only source of wall time and of wake-ups in the runtime. */
export interface Clock {
  /** Epoch milliseconds; the runtime leaves out what is less than one. */
  now(): number;
  /** Calls `wake` once when `now()` has reached `at`; delays beyond 2^31 ms are fine. Returns a cancel function. */
  wakeAt(at: number, wake: () => void): () => void;
  /**
   * Components do not wait for their own timers (`setTimeout`): with nothing else to wait for, the next is due at once,
   * and their `Date` is there. One call may skip so many ms; what waits longer times out. Default 0: timers take real time.
   */
  readonly mostSkippedMs?: number;
}

/** The system may sleep, or its time be set, while a timeout counts on; so the time is looked at now and then. */
const longestDelayMs = 60_000;

export const systemClock: Clock = {
  now: () => Date.now(),
  wakeAt(at, wake) {
    let handle: NodeJS.Timeout;
    const arm = (): void => {
      const delay = at - Date.now();
      if (delay > longestDelayMs) handle = setTimeout(arm, longestDelayMs);
      else handle = setTimeout(() => (Date.now() < at ? arm() : wake()), Math.max(0, delay));
    };
    arm();
    return () => clearTimeout(handle);
  },
};

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
 * Moves the clock as if time passed (S29): to each time at which something falls due, in order, and on when `settled` says that
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
