import { XError } from "@x/runtime";

import { findStalest, fitsBeside, type Keeping } from "./budget-rules.ts";

export interface ByteBudgetLimits {
  /** For all holders together. */
  readonly bytes: number;
  /** For one holder. */
  readonly bytesPerHolder: number;
  /** Milliseconds without progress after which a reservation is evicted when others need its bytes. */
  readonly patienceMs: number;
}

/** The reservation of one answer or request. */
export interface Hold {
  readonly bytes: number;
  /** Changes the number of bytes. Throws `overloaded` when it grows and there is no room. */
  resize(bytes: number): void;
  /** Reports progress: the reader has taken some bytes, or the sender has sent some. `bytes` must not grow. */
  move(bytes: number): void;
  /** Resolves when bytes were released, and when the signal aborts. */
  room(signal: AbortSignal): Promise<void>;
  /** Sets the function that is called when the reservation is evicted; it is released then. */
  onEvict(end: () => void): void;
  release(): void;
}

/** Reservations of several holders, such as users. */
export interface ByteBudget {
  /** A new, empty reservation. Throws `overloaded` when the holder, or all together, have no room. */
  open(holder: string): Hold;
  readonly bytes: number;
}

interface Entry extends Keeping {
  bytes: number;
  movedAt: number;
  isEvicted: boolean;
  end: () => void;
}

/** An estimate: readers may take the bytes at any time. */
const retryAfterSeconds = 1;

export function createByteBudget(limits: ByteBudgetLimits, now: () => number = () => performance.now()): ByteBudget {
  const entries = new Set<Entry>();
  const ofHolders = new Map<string, number>();
  let all = 0;
  let waiting: (() => void)[] = [];

  function count(entry: Entry, bytes: number): void {
    const change = bytes - entry.bytes;
    entry.bytes = bytes;
    all += change;
    const ofHolder = (ofHolders.get(entry.holder) ?? 0) + change;
    if (ofHolder > 0) ofHolders.set(entry.holder, ofHolder);
    else ofHolders.delete(entry.holder);
    if (change < 0 && waiting.length > 0) {
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    }
  }

  function release(entry: Entry): void {
    if (entries.delete(entry)) count(entry, 0);
  }

  const ofHolder = (holder: string): number => ofHolders.get(holder) ?? 0;
  const holderFits = ({ holder, bytes: own }: Entry, bytes: number): boolean =>
    fitsBeside(ofHolder(holder) - own, bytes, limits.bytesPerHolder);
  const allFit = ({ bytes: own }: Entry, bytes: number): boolean => fitsBeside(all - own, bytes, limits.bytes);

  /** Evicts reservations without progress until `fits`; false when there are no more of them. */
  function makeRoom(entry: Entry, fits: () => boolean, holder?: string): boolean {
    while (!fits()) {
      const others = [...entries].filter((each) => each !== entry);
      const stalest = findStalest(others, {
        now: now(),
        patienceMs: limits.patienceMs,
        ...(holder !== undefined && { holder }),
      });
      if (!stalest) return false;
      release(stalest);
      stalest.isEvicted = true;
      stalest.end();
    }
    return true;
  }

  function require(entry: Entry, bytes: number): void {
    const { holder } = entry;
    const isOpen =
      makeRoom(entry, () => holderFits(entry, bytes), holder) && makeRoom(entry, () => allFit(entry, bytes));
    if (isOpen) return;
    throw new XError("overloaded", [], { details: { retryAfterSeconds } });
  }

  return {
    get bytes() {
      return all;
    },
    open(holder) {
      const entry: Entry = { holder, bytes: 0, movedAt: now(), isEvicted: false, end: () => undefined };
      // One byte: a full budget refuses even an empty reservation.
      require(entry, 1);
      entries.add(entry);
      return {
        get bytes() {
          return entry.bytes;
        },
        resize(bytes) {
          if (!entries.has(entry)) return;
          if (bytes > entry.bytes) require(entry, bytes);
          entry.movedAt = now();
          count(entry, bytes);
        },
        move(bytes) {
          if (!entries.has(entry)) return;
          entry.movedAt = now();
          count(entry, bytes);
        },
        room(signal) {
          return new Promise((resolve) => {
            const wake = (): void => {
              signal.removeEventListener("abort", wake);
              resolve();
            };
            signal.addEventListener("abort", wake);
            if (signal.aborted) wake();
            else waiting.push(wake);
          });
        },
        onEvict(end) {
          entry.end = end;
          if (entry.isEvicted) end();
        },
        release: () => release(entry),
      };
    },
  };
}
