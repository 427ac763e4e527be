import { systemClock } from "@x/model";

/** How often the first wait doubles. */
const maxDoublings = 5;

/** Repeats a transient failure with exponential backoff. */
export interface Retry {
  /** Reports an attempt. `isFailing`: another attempt may help. */
  ended(isFailing: boolean): void;
  close(): void;
}

/** Waits in real time, because it waits for another system. `firstMs`: the first wait. */
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
      count = Math.min(count + 1, maxDoublings);
    },
    close() {
      closed = true;
      cancel?.();
    },
  };
}
