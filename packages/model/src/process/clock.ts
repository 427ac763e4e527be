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
  readonly maxSkippedMs?: number;
  /** Absent where nothing waits for runtimes; see `ManualClock`. */
  follow?(idle: () => Promise<unknown>): () => void;
}

/** Timeouts stop while the machine sleeps, so the elapsed time is checked this often. */
const longestDelayMs = 60_000;
/** A larger change of the wall clock against the monotonic clock is a step, not an adjustment. */
const minStepMs = 1_000;

const wallOffset = (): number => Date.now() - performance.now();
const sleptSoFar = (): number => uptime() * 1_000 - performance.now();

/** Measures elapsed time with the sleep of the machine, which is read again after a step of the wall clock. */
function createElapsed(): () => number {
  let offset = wallOffset();
  const sleptBefore = sleptSoFar();
  let slept = 0;
  return () => {
    const current = wallOffset();
    if (Math.abs(current - offset) >= minStepMs) {
      offset = current;
      slept = Math.max(slept, sleptSoFar() - sleptBefore);
    }
    return performance.now() + slept;
  };
}

const elapsed = createElapsed();

/** The real time. */
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
    if (Math.abs(step) < minStepMs) return 0;
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
  const { maxSkippedMs } = clock;
  return {
    now: () => Math.floor(clock.now()),
    wakeAt: (at, wake) => clock.wakeAt(at, wake),
    ...(clock.elapsed && { elapsed: () => clock.elapsed?.() ?? 0 }),
    ...(maxSkippedMs !== undefined && { maxSkippedMs }),
  };
}

/** Monotonic milliseconds; for durations only. */
export const monotonicMs = (): number => performance.now();

/** A clock that moves only by `advance` and `jump`. Wake-ups run in order of their time. */
export interface ManualClock extends Clock {
  /**
   * Moves to the time of each wake-up on the way, then to `now() + ms`. At each time it waits until the runtimes that use the
   * clock are idle, so each due tick of a timer runs. A component or handler that runs in one of them cannot wait for it. Calls
   * move the clock one after another.
   */
  advance(ms: number): Promise<Advanced>;
  /**
   * Moves at once, also back: wakes what is due on the way and waits for nothing. Several due ticks of a source become one, as
   * after downtime.
   */
  jump(ms: number): void;
  /** The time of the next wake-up, if any. */
  next(): number | undefined;
  /** Has `advance` wait for `idle` at each step, until the returned function is called. A runtime does it with its own clock. */
  follow(idle: () => Promise<unknown>): () => void;
}

/** How `advance` moved. */
export interface Advanced {
  /** Times of wake-ups on the way. */
  readonly steps: number;
  /** True after more steps than are taken one by one: later ticks of one source became one, as after downtime. */
  readonly coalesced: boolean;
}

/** All wake-ups beyond this number run together at the end. */
const maxSteps = 10_000;

export interface ManualClockOptions extends Pick<Clock, "maxSkippedMs"> {
  /** Most steps that one `advance` takes. Default: 10,000. */
  readonly maxSteps?: number;
}

/** Makes a clock that stands at `startMs`, epoch milliseconds. */
export function manualClock(
  startMs: number,
  { maxSteps: most = maxSteps, ...options }: ManualClockOptions = {},
): ManualClock {
  let current = startMs;
  const waiting = new Map<symbol, { at: number; wake: () => void }>();
  const followers = new Map<symbol, () => Promise<unknown>>();
  let advancing: Promise<unknown> = Promise.resolve();

  const earliest = (): [symbol, { at: number; wake: () => void }] | undefined => {
    let found: [symbol, { at: number; wake: () => void }] | undefined;
    for (const entry of waiting) if (!found || entry[1].at < found[1].at) found = entry;
    return found;
  };
  const due = (): number => earliest()?.[1].at ?? Infinity;

  function jump(ms: number): void {
    const target = current + ms;
    for (let next = earliest(); next && next[1].at <= target; next = earliest()) {
      waiting.delete(next[0]);
      current = Math.max(current, next[1].at);
      next[1].wake();
    }
    current = target;
  }
  const settle = (): Promise<unknown> => Promise.all([...followers.values()].map((idle) => idle()));

  async function advanceInSteps(ms: number): Promise<Advanced> {
    const target = current + ms;
    await settle();
    let steps = 0;
    for (; steps < most && due() <= target; steps++) {
      jump(Math.max(0, due() - current));
      await settle();
    }
    const coalesced = due() <= target;
    jump(Math.max(0, target - current));
    await settle();
    return { steps, coalesced };
  }

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
    async advance(ms) {
      if (!(ms >= 0)) throw new RangeError(`advance takes milliseconds from 0 on, got ${ms}; jump also moves back.`);
      const mine = advancing.then(() => advanceInSteps(ms));
      advancing = mine.catch(() => undefined);
      return mine;
    },
    jump,
    next: () => earliest()?.[1].at,
    follow(idle) {
      const key = Symbol("follower");
      followers.set(key, idle);
      return () => void followers.delete(key);
    },
  };
}
