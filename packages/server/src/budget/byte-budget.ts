import { XError } from "@x/runtime";

import { findStalest, fitsBeside, type Keeping } from "./budget-rules.ts";

export interface ByteBudgetLimits {
  /** All of it together. */
  readonly bytes: number;
  /** What one holder may keep of it. */
  readonly bytesPerHolder: number;
  /** Milliseconds without a move after which something is let go when others need the room. */
  readonly patienceMs: number;
}

/** What one answer or request keeps. It counts from before it is read until it is released. */
export interface Hold {
  readonly bytes: number;
  /** Keeps so many from now on. Throws `overloaded` when it would be more than before and there is no room. */
  resize(bytes: number): void;
  /** Keeps fewer from now on, as its reader has taken some; or just as many, as its sender has sent some. */
  move(bytes: number): void;
  /** Resolves when there may be more room than now, and at the signal. */
  room(signal: AbortSignal): Promise<void>;
  /** Called when others need the room and this does not move: it is released then. */
  letGo(end: () => void): void;
  release(): void;
}

/** Bytes that are kept for several holders, such as users. */
export interface ByteBudget {
  /** Throws `overloaded` when the holder, or all together, keep as much as they may already. */
  open(holder: string): Hold;
  readonly bytes: number;
}

interface Entry extends Keeping {
  bytes: number;
  movedAt: number;
  isLetGo: boolean;
  end: () => void;
}

/** What callers are told: an estimate, for readers may take it all in a moment. */
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

  /** Lets go what does not move until `fits`, or until everything moves. */
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
      stalest.isLetGo = true;
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
      const entry: Entry = { holder, bytes: 0, movedAt: now(), isLetGo: false, end: () => undefined };
      // One more byte: what is full already has no room for anything.
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
        letGo(end) {
          entry.end = end;
          if (entry.isLetGo) end();
        },
        release: () => release(entry),
      };
    },
  };
}
