import { sharedNow } from "../thread/shared-clock.ts";
import type { WorkerThread } from "./worker-thread.ts";

const periodMs = 20;
/** How long after its deadline a call may take to stop by itself. */
const graceMs = 50;
/**
 * How long to wait for the exit of a thread that is being ended. Nothing ends one inside a host function, such as the
 * search for a large prime. By then it runs no guest code any more, and its messages are handled.
 */
const exitMs = 100;
/** A thread that has been in guest code for so long counts as busy. */
export const longEntryMs = 25;

/** Calls `work` after `ms`, in real time; does not keep the process alive. Returns a function that cancels it. */
export function startTimer(work: () => void, ms: number): () => void {
  const timer = setTimeout(work, ms).unref();
  return () => clearTimeout(timer);
}

/** The parts of a thread that the watchdog uses. */
type WatchedThread = Pick<WorkerThread, "closed" | "terminate" | "abandon"> & {
  readonly beat: Pick<WorkerThread["beat"], "read">;
};

export interface WatchdogOptions<Watched extends WatchedThread = WorkerThread> {
  readonly threads: ReadonlySet<Watched>;
  isIdle(): boolean;
  /** Called at the beginning of every round. */
  beforeRound?(now: number): void;
  /** Called in every round for every thread that is busy. */
  busy(thread: Watched, callId: number, busyMs: number): void;
}

/** Reads the heartbeats in real time, whatever the runtime's clock, and ends threads that pass a deadline. */
export interface Watchdog {
  /** Watches until everything is idle. */
  watch(): void;
  stop(): void;
}

export function createWatchdog<Watched extends WatchedThread>(options: WatchdogOptions<Watched>): Watchdog {
  let timer: NodeJS.Timeout | undefined;
  /** When each thread was ended. */
  const endedAt = new WeakMap<Watched, number>();
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const check = (): void => {
    if (options.isIdle()) return stop();
    options.beforeRound?.(sharedNow());
    for (const thread of options.threads) {
      const { callId, enteredAt, deadline } = thread.beat.read();
      if (callId === 0) continue;
      const now = sharedNow();
      if (thread.closed) {
        const since = endedAt.get(thread) ?? now;
        endedAt.set(thread, since);
        if (now > deadline && now - since > exitMs) thread.abandon();
        continue;
      }
      if (now > deadline + graceMs) {
        thread.closed = true;
        endedAt.set(thread, now);
        void thread.terminate();
      }
      if (now - enteredAt > longEntryMs) options.busy(thread, callId, now - enteredAt);
    }
  };
  return {
    watch() {
      timer ??= setInterval(check, periodMs);
    },
    stop,
  };
}
