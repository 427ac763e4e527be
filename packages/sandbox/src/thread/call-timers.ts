import { sharedNow } from "./shared-clock.ts";

/** The timers of one call. */
export interface CallTimers {
  /** How many are pending. */
  readonly size: number;
  /** Ids of the pending timers. */
  readonly ids: readonly number[];
  start(timerId: number, delayMs: number): void;
  clear(timerId: number): void;
  /**
   * Fires the next timer at once where waits are skipped; to be called when the call waits for nothing else. False: the
   * call has skipped as much as it may.
   */
  skip(): boolean;
  close(): void;
}

/**
 * Calls `fire` for one timer after another; timers that are due together fire in one turn of the event loop. The call may
 * skip `maxSkippedMs` of its waits; 0: timers take real time.
 */
export function createCallTimers(maxSkippedMs: number, fire: (timerId: number) => void): CallTimers {
  const handles = new Map<number, NodeJS.Timeout>();
  /** When each timer is due on the component's clock, in ms since the call began. */
  const dueAt = new Map<number, number>();
  let due: number[] = [];
  let flushing: NodeJS.Immediate | undefined;
  let waitedMs = 0;

  const clear = (timerId: number): void => {
    clearTimeout(handles.get(timerId));
    handles.delete(timerId);
    dueAt.delete(timerId);
  };
  const makeDue = (timerId: number): void => {
    waitedMs = Math.max(waitedMs, dueAt.get(timerId) ?? 0);
    clear(timerId);
    due.push(timerId);
    flushing ??= setImmediate(() => {
      flushing = undefined;
      // One at a time: the promise jobs of a timer run before the next timer.
      for (let left = due.length; left > 0; left--) {
        const next = due.shift();
        if (next !== undefined) fire(next);
      }
    });
  };
  return {
    get size() {
      return handles.size + due.length;
    },
    get ids() {
      return [...handles.keys(), ...due];
    },
    start(timerId, delayMs) {
      clear(timerId);
      dueAt.set(timerId, waitedMs + delayMs);
      handles.set(
        timerId,
        setTimeout(() => makeDue(timerId), delayMs),
      );
    },
    clear,
    skip() {
      const [first, ...others] = dueAt;
      if (maxSkippedMs === 0 || due.length > 0 || !first) return true;
      const [timerId, at] = others.reduce((soonest, each) => (each[1] < soonest[1] ? each : soonest), first);
      if (at > maxSkippedMs) return false;
      makeDue(timerId);
      return true;
    },
    close() {
      due = [];
      clearImmediate(flushing);
      for (const handle of handles.values()) clearTimeout(handle);
    },
  };
}

/** Time of another call, in ms, from which on it is added to a call's deadline. */
const longEntryMs = 50;

/** The deadline of one call, in real time. */
export class CallDeadline {
  readonly #onPassed: () => void;
  readonly #busyMs: () => number;
  #at: number;
  /** How long the thread had been busy when the call began to wait. */
  #busyBefore: number;
  #timer: NodeJS.Timeout | undefined;

  /**
   * `onPassed` is called after `arm`, when the deadline passes while the call waits. `busyMs` is how long the thread has been
   * busy: what is added to it while the call waits does not count.
   */
  constructor(timeoutMs: number, onPassed: () => void, busyMs: () => number = () => 0) {
    this.#at = sharedNow() + timeoutMs;
    this.#onPassed = onPassed;
    this.#busyMs = busyMs;
    this.#busyBefore = busyMs();
  }

  /** In ms of the shared clock. */
  get at(): number {
    return this.#at;
  }

  get remainingMs(): number {
    return this.#at - sharedNow();
  }

  get hasPassed(): boolean {
    return this.remainingMs <= 0;
  }

  arm(): void {
    this.close();
    const delay = Math.min(this.remainingMs, 2 ** 31 - 1);
    this.#timer = setTimeout(
      () => {
        this.endWait();
        if (this.hasPassed) this.#onPassed();
        else this.arm();
      },
      Math.max(0, delay),
    );
  }

  beginWait(): void {
    this.#busyBefore = this.#busyMs();
  }

  endWait(): void {
    const before = this.#busyBefore;
    this.beginWait();
    this.#at += this.#busyBefore - before;
  }

  extend(ms: number): void {
    this.#at += ms;
    this.arm();
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}

/** Extends the deadlines of the other calls in a thread by the time that one call kept it busy. */
export function extendOthers<Call extends { extend(ms: number): void }>(
  calls: Iterable<Call>,
  busy: Call,
  ms: number,
): void {
  if (ms < longEntryMs) return;
  for (const call of calls) if (call !== busy) call.extend(ms);
}
