import type { Clock } from "@x/runtime";

/** Collects items until none has come for a while. */
export interface Debounce<Item> {
  add(item: Item): void;
  close(): void;
}

export interface DebounceOptions<Item> {
  readonly clock: Pick<Clock, "now" | "wakeAt">;
  /** Milliseconds without a new item after which the items are handed over. */
  readonly idleMs: number;
  /** Milliseconds after the first item after which the items are handed over in any case. */
  readonly maxWaitMs: number;
  /** Called with each item once. */
  readonly ready: (items: ReadonlySet<Item>) => void;
}

export function createDebounce<Item>({ clock, idleMs, maxWaitMs, ready }: DebounceOptions<Item>): Debounce<Item> {
  let items = new Set<Item>();
  let since: number | undefined;
  let cancel: (() => void) | undefined;
  return {
    add(item) {
      items.add(item);
      const now = clock.now();
      since ??= now;
      cancel?.();
      cancel = clock.wakeAt(Math.min(now + idleMs, since + maxWaitMs), () => {
        const collected = items;
        items = new Set();
        since = undefined;
        cancel = undefined;
        ready(collected);
      });
    },
    close() {
      cancel?.();
      items.clear();
    },
  };
}
