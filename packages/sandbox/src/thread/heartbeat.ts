import { sharedNow } from "./shared-clock.ts";

/** What a worker thread is executing in guest code. `callId` 0: nothing. */
export interface Beat {
  readonly callId: number;
  readonly enteredAt: number;
  readonly deadline: number;
}

/** Size of the memory that a thread shares with the scheduler: its beat, and the scheduler's requests to pause or leave. */
export const heartbeatBytes = 32;

export interface Heartbeat {
  enter(callId: number, deadline: number): void;
  leave(): void;
  read(): Beat;
  /** To be called in the thread, inside guest code: waits while its call is paused. False: the call has to leave the thread. */
  mayGoOn(): boolean;
  /** Makes this call wait when it is in guest code; 0: no call waits. */
  pause(callId: number): void;
  sendAway(callId: number): void;
  /** Extends the deadline of the current call. */
  extend(ms: number): void;
}

export function createHeartbeat(buffer: SharedArrayBuffer): Heartbeat {
  const id = new Int32Array(buffer, 0, 1);
  const times = new Float64Array(buffer, 8, 2);
  const paused = new Int32Array(buffer, 24, 1);
  const sentAway = new Int32Array(buffer, 28, 1);
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
    mayGoOn() {
      const callId = Atomics.load(id, 0);
      while (Atomics.load(paused, 0) === callId) {
        const leftMs = (times[1] ?? 0) - sharedNow();
        if (leftMs <= 0) break;
        Atomics.wait(paused, 0, callId, leftMs);
      }
      return Atomics.load(sentAway, 0) !== callId;
    },
    pause(callId) {
      if (Atomics.exchange(paused, 0, callId) !== callId) Atomics.notify(paused, 0);
    },
    sendAway(callId) {
      Atomics.store(sentAway, 0, callId);
      Atomics.store(paused, 0, 0);
      Atomics.notify(paused, 0);
    },
    extend(ms) {
      times[1] = (times[1] ?? 0) + ms;
    },
  };
}

/** For guest code in the thread of the host, which no watchdog can end. */
export const unwatched: Heartbeat = {
  enter: () => undefined,
  leave: () => undefined,
  read: () => ({ callId: 0, enteredAt: 0, deadline: 0 }),
  mayGoOn: () => true,
  pause: () => undefined,
  sendAway: () => undefined,
  extend: () => undefined,
};
