import { type ManualClock, manualClock } from "./clock.ts";

/** A manual clock that can also be set, like that of a machine. Waits do not change when it is set. */
export interface SettableClock extends ManualClock {
  set(byMs: number): void;
  elapsed(): number;
}

export function settableClock(startMs: number): SettableClock {
  const time = manualClock(startMs);
  let offset = 0;
  const now = (): number => time.now() + offset;
  return {
    ...time,
    now,
    elapsed: () => time.now(),
    wakeAt: (at, wake) => time.wakeAt(time.now() + (at - now()), wake),
    next() {
      const next = time.next();
      return next === undefined ? undefined : next + offset;
    },
    set(byMs) {
      offset += byMs;
    },
  };
}
