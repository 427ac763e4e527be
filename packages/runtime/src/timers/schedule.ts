import { type Clock, createSteps } from "../process/clock.ts";

/** Wakes sources at their times: one heap and one wake-up, however many there are. */
export interface Schedule {
  /** Sets or moves a source's time. */
  set(sourceId: string, at: number): void;
  remove(sourceId: string): void;
  /** Has what is here move along, if the clock was set: `stepped` has been called then. */
  follow(): void;
  /** The earliest time, if any. */
  next(): number | undefined;
  close(): void;
}

interface Entry {
  readonly sourceId: string;
  at: number;
  /** Keeps entries of the same time in the order in which they were set. */
  readonly turn: number;
  /** Position in the heap. */
  place: number;
}

/** How often a clock that can be set is looked at. */
const lookMs = 60_000;

const isBefore = (a: Entry, b: Entry): boolean => a.at < b.at || (a.at === b.at && a.turn < b.turn);

/** Creates a schedule. `fire` is called in order of time, once for each `set`; it may call back. */
export function createSchedule(options: {
  readonly clock: Clock;
  readonly fire: (sourceId: string, at: number) => void;
  /** The clock was set by so much, and every time here moved with it. */
  readonly stepped?: (byMs: number) => void;
}): Schedule {
  const { clock, fire, stepped } = options;
  const steps = createSteps(clock);
  const heap: Entry[] = [];
  const entries = new Map<string, Entry>();
  let turns = 0;
  /** `at` is the time for which the clock was asked to wake, which moves with the clock. */
  let armed: { readonly at: number; readonly cancel: () => void } | undefined;
  let closed = false;
  let firing = false;

  const put = (entry: Entry, place: number): void => {
    heap[place] = entry;
    entry.place = place;
  };

  const moveUp = (entry: Entry): void => {
    let place = entry.place;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = heap[above];
      if (!parent || !isBefore(entry, parent)) break;
      put(parent, place);
      place = above;
    }
    put(entry, place);
  };

  const moveDown = (entry: Entry): void => {
    let place = entry.place;
    for (;;) {
      const left = heap[2 * place + 1];
      const right = heap[2 * place + 2];
      const child = left && right && isBefore(right, left) ? right : left;
      if (!child || !isBefore(child, entry)) break;
      const below = child.place;
      put(child, place);
      place = below;
    }
    put(entry, place);
  };

  const take = (entry: Entry): void => {
    entries.delete(entry.sourceId);
    const last = heap.pop();
    if (!last || last === entry) return;
    put(last, entry.place);
    moveUp(last);
    moveDown(last);
  };

  const soon = (at: number): number => (clock.elapsed ? Math.min(at, clock.now() + lookMs) : at);

  const arm = (): void => {
    if (firing) return;
    const at = closed ? undefined : heap[0]?.at;
    if (armed?.at === at) return;
    armed?.cancel();
    armed = at === undefined ? undefined : { at, cancel: clock.wakeAt(soon(at), wake) };
  };

  /** Moves what is here along with the clock. */
  const follow = (): void => {
    const byMs = steps();
    if (byMs === 0) return;
    for (const entry of heap) entry.at += byMs;
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
      // Not more than were there at the start: a callback that sets times in the past must not hold the thread.
      for (let left = heap.length; left > 0; left--) {
        const due = heap[0];
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
      const entry: Entry = { sourceId, at, turn: turns++, place: heap.length };
      entries.set(sourceId, entry);
      heap.push(entry);
      moveUp(entry);
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
    next: () => heap[0]?.at,
    close() {
      closed = true;
      heap.length = 0;
      entries.clear();
      arm();
    },
  };
}
