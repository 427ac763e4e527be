import { createSteps, type Clock } from "@x/model";

/** Fires sources at their times, with one heap and one wake-up for all of them. */
export interface Schedule {
  /** Sets or changes the time of a source, epoch ms. */
  set(sourceId: string, at: number): void;
  remove(sourceId: string): void;
  /** Shifts all times if the system clock was set; `stepped` has been called then. */
  follow(): void;
  /** The earliest time, epoch ms. */
  next(): number | undefined;
  close(): void;
}

interface Entry {
  readonly sourceId: string;
  at: number;
  /** Entries with equal times fire in this order. */
  readonly turn: number;
  /** Index in the heap. */
  index: number;
}

/** Interval at which the system clock is checked for steps. */
const checkMs = 60_000;

const isBefore = (a: Entry, b: Entry): boolean => a.at < b.at || (a.at === b.at && a.turn < b.turn);

/** Entries as a binary heap: the earliest one is first. */
class EntryHeap {
  readonly #entries: Entry[] = [];

  get first(): Entry | undefined {
    return this.#entries[0];
  }

  get size(): number {
    return this.#entries.length;
  }

  add(entry: Entry): void {
    entry.index = this.#entries.length;
    this.#entries.push(entry);
    this.#moveUp(entry);
  }

  remove(entry: Entry): void {
    const last = this.#entries.pop();
    if (!last || last === entry) return;
    this.#put(last, entry.index);
    this.#moveUp(last);
    this.#moveDown(last);
  }

  shift(byMs: number): void {
    for (const entry of this.#entries) entry.at += byMs;
  }

  clear(): void {
    this.#entries.length = 0;
  }

  #put(entry: Entry, index: number): void {
    this.#entries[index] = entry;
    entry.index = index;
  }

  #moveUp(entry: Entry): void {
    let index = entry.index;
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = this.#entries[above];
      if (!parent || !isBefore(entry, parent)) break;
      this.#put(parent, index);
      index = above;
    }
    this.#put(entry, index);
  }

  #moveDown(entry: Entry): void {
    let index = entry.index;
    for (;;) {
      const left = this.#entries[2 * index + 1];
      const right = this.#entries[2 * index + 2];
      const child = left && right && isBefore(right, left) ? right : left;
      if (!child || !isBefore(child, entry)) break;
      const below = child.index;
      this.#put(child, index);
      index = below;
    }
    this.#put(entry, index);
  }
}

/** Creates a schedule. Calls `fire` in order of time, once for each `set`; `fire` may call `set` and `remove`. */
export function createSchedule(options: {
  readonly clock: Clock;
  readonly fire: (sourceId: string, at: number) => void;
  /** Called when the clock was set by `byMs` and all times were shifted. */
  readonly stepped?: (byMs: number) => void;
}): Schedule {
  const { clock, fire, stepped } = options;
  const steps = createSteps(clock);
  const heap = new EntryHeap();
  const entries = new Map<string, Entry>();
  let turns = 0;
  /** The pending wake-up; `at` is the time of the first entry. */
  let armed: { readonly at: number; readonly cancel: () => void } | undefined;
  let closed = false;
  let firing = false;

  const take = (entry: Entry): void => {
    entries.delete(entry.sourceId);
    heap.remove(entry);
  };

  const soon = (at: number): number => (clock.elapsed ? Math.min(at, clock.now() + checkMs) : at);

  const arm = (): void => {
    if (firing) return;
    const at = closed ? undefined : heap.first?.at;
    if (armed?.at === at) return;
    armed?.cancel();
    armed = at === undefined ? undefined : { at, cancel: clock.wakeAt(soon(at), wake) };
  };

  /** Shifts all times if the clock was set. */
  const follow = (): void => {
    const byMs = steps();
    if (byMs === 0) return;
    heap.shift(byMs);
    armed?.cancel();
    armed = undefined;
    stepped?.(byMs);
  };

  const wake = (): void => {
    armed = undefined;
    firing = true;
    try {
      follow();
      const now = clock.now();
      // At most as many as there were at the start: a callback that sets times in the past must not block the thread.
      for (let left = heap.size; left > 0; left--) {
        const due = heap.first;
        if (closed || !due || due.at > now) break;
        take(due);
        fire(due.sourceId, due.at);
      }
    } finally {
      firing = false;
      arm();
    }
  };

  return {
    set(sourceId, at) {
      if (closed) return;
      follow();
      const known = entries.get(sourceId);
      if (known?.at === at) return;
      if (known) take(known);
      const entry: Entry = { sourceId, at, turn: turns++, index: 0 };
      entries.set(sourceId, entry);
      heap.add(entry);
      arm();
    },
    remove(sourceId) {
      const known = entries.get(sourceId);
      if (!known) return;
      take(known);
      arm();
    },
    follow() {
      follow();
      arm();
    },
    next: () => heap.first?.at,
    close() {
      closed = true;
      heap.clear();
      entries.clear();
      arm();
    },
  };
}
