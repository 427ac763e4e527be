import { sharedNow } from "../thread/heartbeat.ts";
import type { Seat } from "./seat.ts";

const periodMs = 20;
/** How long after its deadline a call may still be stopping by itself. */
const graceMs = 50;
/**
 * How long a thread that has been ended may stay: nothing ends one inside a function of the host's, such as the search for
 * a large prime. It runs no code of its own any more by then, and what it had posted has been heard.
 */
const leavingMs = 100;
/** A thread that has been in guest code for so long counts as kept busy. */
export const hogMs = 25;

/** A thread in reserve is started when the first has been up for so long: what ends sooner does without. */
const reserveMs = 1_000;
/** How often threads that were not needed leave. */
const restMs = 5_000;

/** Calls `start` when it is time for a thread in reserve; does not keep the process alive. Returns a cancel function. */
export const afterFirstCalm = (start: () => void): (() => void) => later(start, reserveMs);

/** Calls `rest` when it is time to end threads that were not needed; the same otherwise. */
export const afterRest = (rest: () => void): (() => void) => later(rest, restMs);

function later(work: () => void, ms: number): () => void {
  const timer = setTimeout(work, ms).unref();
  return () => clearTimeout(timer);
}

/** What the watchdog needs of a thread. */
type WatchedSeat = Pick<Seat, "closed" | "terminate" | "abandon"> & { readonly beat: Pick<Seat["beat"], "read"> };

export interface Watched<Watching extends WatchedSeat = Seat> {
  readonly seats: ReadonlySet<Watching>;
  isIdle(): boolean;
  /** Said at the beginning of every round. */
  looks?(now: number): void;
  /** Said on every round for every thread that is kept busy. */
  hogged(seat: Watching, callId: number, busyMs: number): void;
}

/** Looks at the heartbeats in real time, whatever clock the runtime has, and ends threads that outlive a deadline. */
export interface Watchdog {
  /** Looks until everything is idle. */
  watch(): void;
  stop(): void;
}

export function createWatchdog<Watching extends WatchedSeat>(watched: Watched<Watching>): Watchdog {
  let timer: NodeJS.Timeout | undefined;
  /** When each thread was told to end. */
  const endings = new WeakMap<Watching, number>();
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const look = (): void => {
    if (watched.isIdle()) return stop();
    watched.looks?.(sharedNow());
    for (const seat of watched.seats) {
      const { callId, enteredAt, deadline } = seat.beat.read();
      if (callId === 0) continue;
      const at = sharedNow();
      if (seat.closed) {
        const since = endings.get(seat) ?? at;
        endings.set(seat, since);
        if (at > deadline && at - since > leavingMs) seat.abandon();
        continue;
      }
      if (at > deadline + graceMs) {
        seat.closed = true;
        endings.set(seat, at);
        void seat.terminate();
      }
      if (at - enteredAt > hogMs) watched.hogged(seat, callId, at - enteredAt);
    }
  };
  return {
    watch() {
      timer ??= setInterval(look, periodMs);
    },
    stop,
  };
}
