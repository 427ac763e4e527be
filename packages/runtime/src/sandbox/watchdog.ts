import { sharedNow } from "./heartbeat.ts";
import type { Seat } from "./seat.ts";

const periodMs = 20;
/** How long after its deadline a call may still be stopping by itself. */
const graceMs = 50;
/** A thread that has been in guest code for so long counts as kept busy. */
export const hogMs = 25;

/** A thread in reserve is started when the first has been up for so long: what ends sooner does without. */
const reserveMs = 1_000;

/** Calls `start` when it is time for a thread in reserve; does not keep the process alive. Returns a cancel function. */
export function afterFirstCalm(start: () => void): () => void {
  const timer = setTimeout(start, reserveMs).unref();
  return () => clearTimeout(timer);
}

export interface Watched {
  readonly seats: ReadonlySet<Seat>;
  isIdle(): boolean;
  /** Said on every round for every thread that is kept busy. */
  hogged(seat: Seat, callId: number, busyMs: number): void;
}

/** Looks at the heartbeats in real time, whatever clock the runtime has, and ends threads that outlive a deadline. */
export interface Watchdog {
  /** Looks until everything is idle. */
  watch(): void;
  stop(): void;
}

export function createWatchdog(watched: Watched): Watchdog {
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const look = (): void => {
    if (watched.isIdle()) return stop();
    for (const seat of watched.seats) {
      const { callId, enteredAt, deadline } = seat.beat.read();
      if (callId === 0 || seat.closed) continue;
      const at = sharedNow();
      if (at > deadline + graceMs) {
        seat.closed = true;
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
