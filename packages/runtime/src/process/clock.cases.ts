import { type ManualClock, manualClock } from "./clock.ts";

/** A manual clock that can be set, as a machine's can: time goes on, and its waits with it, whatever it shows. */
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
