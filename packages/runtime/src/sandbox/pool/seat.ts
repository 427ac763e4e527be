import { Worker } from "node:worker_threads";

import { createHeartbeat, type Heartbeat, heartbeatBytes } from "../thread/heartbeat.ts";
import { journalBytes, readJournal } from "../thread/journal.ts";
import type { FromWorker, ToWorker, WorkerSeat } from "../thread/messages.ts";
import { builtFile } from "../../process/built-file.ts";

/** `worker.ts`, as the build bundles it. */
const entry = builtFile("threads/sandbox.mjs");

/** Host stack that survives the guest's recursion with its 256 KiB guest stack. */
const stackSizeMb = 32;
/** Threads carry little garbage of their own; the default would let each keep tens of megabytes of it. */
const maxYoungGenerationSizeMb = 8;

/** One worker thread and what the scheduler knows about it. */
export interface Seat {
  readonly beat: Heartbeat;
  /** Ids of calls posted to it and not ended. */
  readonly calls: Set<number>;
  /** It has booted. */
  ready: boolean;
  /** Set when a call has been found to hog it: new calls go elsewhere until the beat is quiet. */
  closed: boolean;
  /** Set when the scheduler ends it for no fault of its own: whatever it is in by then is not to blame. */
  cleared: boolean;
  /** The call that it is to leave, and since when; it may be gone by now. */
  leaving: { readonly callId: number; readonly since: number } | undefined;
  /** Adds a call; while there is one, the thread keeps the process alive. */
  take(callId: number): void;
  drop(callId: number): void;
  post(message: ToWorker, transfer?: ArrayBuffer[]): void;
  /** Ends the thread, whatever it does. Resolves when it is gone and its last messages were heard, or it is abandoned. */
  terminate(): Promise<void>;
  /** Lets go of a thread that has been ended but stays in one step of the host's: its calls end now, it leaves when it can. */
  abandon(): void;
}

export interface SeatEvents {
  message(seat: Seat, message: FromWorker): void;
  /** The thread is gone. */
  gone(seat: Seat, problem: string): void;
}

export function createSeat(data: Omit<WorkerSeat, "heartbeat" | "journal">, events: SeatEvents): Seat {
  const heartbeat = new SharedArrayBuffer(heartbeatBytes);
  const journal = new SharedArrayBuffer(journalBytes);
  const worker = new Worker(entry, {
    workerData: { ...data, heartbeat, journal } satisfies WorkerSeat,
    resourceLimits: { stackSizeMb, maxYoungGenerationSizeMb },
    env: {},
    execArgv: [],
    stdin: false,
  });
  let lastSeq = 0;
  let problem = "the thread ended";
  let isGone = false;
  let ending = false;
  const left = Promise.withResolvers<void>();
  const leave = (): void => {
    if (isGone) return;
    isGone = true;
    seat.closed = true;
    for (const effect of readJournal(journal)) if (effect.seq > lastSeq) events.message(seat, effect);
    events.gone(seat, problem);
    left.resolve();
  };
  const seat: Seat = {
    beat: createHeartbeat(heartbeat),
    calls: new Set(),
    ready: false,
    closed: false,
    cleared: false,
    leaving: undefined,
    take(callId) {
      if (seat.calls.size === 0) worker.ref();
      seat.calls.add(callId);
    },
    drop(callId) {
      // A last message may end its last call while whoever ends the thread waits for it.
      if (seat.calls.delete(callId) && seat.calls.size === 0 && !ending) worker.unref();
    },
    post: (message, transfer = []) => worker.postMessage(message, transfer),
    terminate() {
      // From here on it keeps the process alive until it is gone.
      ending = true;
      void worker.terminate();
      return left.promise;
    },
    abandon() {
      leave();
      worker.unref();
    },
  };
  worker.on("message", (batch: FromWorker[]) => {
    if (isGone) return;
    for (const message of batch) {
      if ("seq" in message) lastSeq = message.seq;
      events.message(seat, message);
    }
  });
  worker.on("error", (error: unknown) => {
    problem = error instanceof Error ? error.message : String(error);
  });
  worker.on("exit", leave);
  // Listening for messages would hold the process again.
  worker.unref();
  return seat;
}
