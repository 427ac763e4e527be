import { systemClock } from "../process/clock.ts";

/** How often the first wait doubles. */
const mostDoublings = 5;

/** Calls again and again what failed for a reason that may pass, after longer and longer waits. */
export interface Retry {
  /** Tells how it went: something failed that may pass, or nothing. */
  ended(isFailing: boolean): void;
  close(): void;
}

/** In real time: what is waited for is elsewhere. */
export function createRetry(firstMs: number, again: () => void): Retry {
  let count = 0;
  let cancel: (() => void) | undefined;
  let closed = false;
  return {
    ended(isFailing) {
      cancel?.();
      cancel = undefined;
      if (closed) return;
      if (!isFailing) {
        count = 0;
        return;
      }
      cancel = systemClock.wakeAt(systemClock.now() + firstMs * 2 ** count, again);
      count = Math.min(count + 1, mostDoublings);
    },
    close() {
      closed = true;
      cancel?.();
    },
  };
}
