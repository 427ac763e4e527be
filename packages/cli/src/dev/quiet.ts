import type { Clock } from "@x/runtime";

/** Gathers things that come one after another until none has come for a while. */
export interface Quiet<Item> {
  add(item: Item): void;
  close(): void;
}

export interface QuietOptions<Item> {
  readonly clock: Pick<Clock, "now" | "wakeAt">;
  /** How long nothing must come. */
  readonly quietMs: number;
  /** Where something comes all the time, what came is handed over all the same. */
  readonly longestMs: number;
  /** Gets each thing once. */
  readonly ready: (items: ReadonlySet<Item>) => void;
}

export function createQuiet<Item>({ clock, quietMs, longestMs, ready }: QuietOptions<Item>): Quiet<Item> {
  let items = new Set<Item>();
  let since: number | undefined;
  let cancel: (() => void) | undefined;
  return {
    add(item) {
      items.add(item);
      const now = clock.now();
      since ??= now;
      cancel?.();
      cancel = clock.wakeAt(Math.min(now + quietMs, since + longestMs), () => {
        const gathered = items;
        items = new Set();
        since = undefined;
        cancel = undefined;
        ready(gathered);
      });
    },
    close() {
      cancel?.();
      items.clear();
    },
  };
}
