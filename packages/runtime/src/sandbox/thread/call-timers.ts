/** The timers that a component has set in one call. */
export interface CallTimers {
  /** How many have been set and have not been given to the component yet. */
  readonly size: number;
  /** Their numbers. */
  readonly ids: readonly number[];
  start(timerId: number, delayMs: number): void;
  clear(timerId: number): void;
  /**
   * Nothing but timers can go on with the call: where waits are skipped, the next one is due at once. False: all that may
   * be skipped has been.
   */
  skip(): boolean;
  close(): void;
}

/**
 * `fire` gets one timer after another; those that are due together come in one turn of the loop. `mostSkippedMs` is how
 * much of its waits the call may skip; 0: timers take real time.
 */
export function createCallTimers(mostSkippedMs: number, fire: (timerId: number) => void): CallTimers {
  const handles = new Map<number, NodeJS.Timeout>();
  /** When each of them is due on the component's clock, in ms of the call. */
  const dueAt = new Map<number, number>();
  let due: number[] = [];
  let flushing: NodeJS.Immediate | undefined;
  let waitedMs = 0;

  const clear = (timerId: number): void => {
    clearTimeout(handles.get(timerId));
    handles.delete(timerId);
    dueAt.delete(timerId);
  };
  const ripen = (timerId: number): void => {
    waitedMs = Math.max(waitedMs, dueAt.get(timerId) ?? 0);
    clear(timerId);
    due.push(timerId);
    flushing ??= setImmediate(() => {
      flushing = undefined;
      // One at a time: the promise jobs of a timer come before the next timer.
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
        setTimeout(() => ripen(timerId), delayMs),
      );
    },
    clear,
    skip() {
      const [first, ...others] = dueAt;
      if (mostSkippedMs === 0 || due.length > 0 || !first) return true;
      const [timerId, at] = others.reduce((soonest, each) => (each[1] < soonest[1] ? each : soonest), first);
      if (at > mostSkippedMs) return false;
      ripen(timerId);
      return true;
    },
    close() {
      due = [];
      clearImmediate(flushing);
      for (const handle of handles.values()) clearTimeout(handle);
    },
  };
}
