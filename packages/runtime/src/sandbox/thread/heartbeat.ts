import { performance } from "node:perf_hooks";

/** Monotonic epoch milliseconds that all threads of a process share. */
export const sharedNow = (): number => performance.timeOrigin + performance.now();

/** What a worker thread is doing in guest code right now. `callId` 0: nothing. */
export interface Beat {
  readonly callId: number;
  readonly enteredAt: number;
  readonly deadline: number;
}

/** One thread's cell: written by the worker around every entry into guest code, read by the watchdog. */
export const heartbeatBytes = 32;

export interface Heartbeat {
  enter(callId: number, deadline: number): void;
  leave(): void;
  read(): Beat;
}

export function createHeartbeat(buffer: SharedArrayBuffer): Heartbeat {
  const id = new Int32Array(buffer, 0, 1);
  const times = new Float64Array(buffer, 8, 2);
  return {
    enter(callId, deadline) {
      times[0] = sharedNow();
      times[1] = deadline;
      Atomics.store(id, 0, callId);
    },
    leave() {
      Atomics.store(id, 0, 0);
    },
    read() {
      return { callId: Atomics.load(id, 0), enteredAt: times[0] ?? 0, deadline: times[1] ?? 0 };
    },
  };
}

/** Of guest code in a thread that nobody could end. */
export const unwatched: Heartbeat = {
  enter: () => undefined,
  leave: () => undefined,
  read: () => ({ callId: 0, enteredAt: 0, deadline: 0 }),
};
