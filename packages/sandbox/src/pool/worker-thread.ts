import { createHeartbeat, type Heartbeat, heartbeatBytes } from "../thread/heartbeat.ts";
import { journalBytes, readJournal } from "../thread/journal.ts";
import { sharedClockMemory } from "../thread/shared-clock.ts";
import type { BootData, FromWorker, ThreadData, ToWorker } from "../thread/messages.ts";
import { takeThread } from "./thread-start.ts";

/** A worker thread and its state for the scheduler. */
export interface WorkerThread {
  readonly beat: Heartbeat;
  /** Ids of the calls that were posted to it and have not ended. */
  readonly calls: Set<number>;
  /** It has booted. */
  ready: boolean;
  /** It is being ended and gets no more calls. */
  closed: boolean;
  /** The scheduler ends it for a reason of its own, so the call that it executes is not to blame. */
  isEndedByScheduler: boolean;
  /** The call that has to leave it, and since when (ms of the shared clock); the call may have left by now. */
  leaving: { readonly callId: number; readonly since: number } | undefined;
  /** Adds a call. While it has calls, the thread keeps the process alive. */
  add(callId: number): void;
  remove(callId: number): void;
  /** The share of the time since the last question in which it was busy, 0 to 1. */
  utilization(): number;
  /** Posts a message: at once to a thread with one call, else together with the others of this turn of the event loop. */
  post(message: ToWorker, transfer?: ArrayBuffer[]): void;
  /** Ends the thread. Resolves when it is gone and its last messages are handled, or when it is abandoned. */
  terminate(): Promise<void>;
  /** Stops waiting for a thread that is being ended but executes a host function: its calls end now, it exits later. */
  abandon(): void;
}

export interface WorkerThreadEvents {
  message(thread: WorkerThread, message: FromWorker): void;
  /** The thread is gone. */
  gone(thread: WorkerThread, problem: string): void;
}

export function createWorkerThread(
  boot: BootData,
  data: Omit<ThreadData, "heartbeat" | "journal" | "clock">,
  events: WorkerThreadEvents,
): WorkerThread {
  const heartbeat = new SharedArrayBuffer(heartbeatBytes);
  const journal = new SharedArrayBuffer(journalBytes);
  const worker = takeThread(boot);
  worker.postMessage({ ...data, heartbeat, journal, clock: sharedClockMemory() } satisfies ThreadData);
  let measured = worker.performance.eventLoopUtilization();
  let lastSeq = 0;
  let problem = "the thread ended";
  let isGone = false;
  let isEnding = false;
  const gone = Promise.withResolvers<void>();
  const leave = (): void => {
    if (isGone) return;
    isGone = true;
    thread.closed = true;
    for (const effect of readJournal(journal)) if (effect.seq > lastSeq) events.message(thread, effect);
    events.gone(thread, problem);
    gone.resolve();
  };
  let outgoing: ToWorker[] = [];
  let transfers: ArrayBuffer[] = [];
  const flush = (): void => {
    const [batch, moved] = [outgoing, transfers];
    outgoing = [];
    transfers = [];
    worker.postMessage(batch, moved);
  };
  const thread: WorkerThread = {
    beat: createHeartbeat(heartbeat),
    calls: new Set(),
    ready: false,
    closed: false,
    isEndedByScheduler: false,
    leaving: undefined,
    add(callId) {
      if (thread.calls.size === 0) worker.ref();
      thread.calls.add(callId);
    },
    remove(callId) {
      // While a caller waits for the thread to end, a last message may end its last call.
      if (thread.calls.delete(callId) && thread.calls.size === 0 && !isEnding) worker.unref();
    },
    utilization() {
      const before = measured;
      measured = worker.performance.eventLoopUtilization();
      return worker.performance.eventLoopUtilization(measured, before).utilization;
    },
    post(message, transfer = []) {
      if (thread.calls.size <= 1 && outgoing.length === 0) return worker.postMessage([message], transfer);
      // A tick comes after everything that continues in this turn.
      if (outgoing.length === 0) process.nextTick(flush);
      outgoing.push(message);
      transfers.push(...transfer);
    },
    terminate() {
      // From now on it keeps the process alive until it is gone.
      isEnding = true;
      void worker.terminate();
      return gone.promise;
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
      events.message(thread, message);
    }
  });
  worker.on("error", (error: unknown) => {
    problem = error instanceof Error ? error.message : String(error);
  });
  worker.on("exit", leave);
  // After `on("message")`, which refs the worker again.
  worker.unref();
  return thread;
}
