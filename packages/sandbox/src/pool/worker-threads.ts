import { sharedNow } from "../thread/shared-clock.ts";
import type { Engine } from "../machine/engine.ts";
import type { BootData, ThreadData } from "../thread/messages.ts";
import { longEntryMs, startTimer } from "./watchdog.ts";
import { createWorkerThread, type WorkerThread, type WorkerThreadEvents } from "./worker-thread.ts";

/** After so many threads in a row that did not boot, the pool stops starting them. */
const maxBootFailures = 3;
/** The spare thread starts when the first thread has been up for so long; shorter processes do without. */
const spareDelayMs = 1_000;
/** How often threads that were not needed are ended. */
const trimIntervalMs = 5_000;
/** Threads are kept until the remaining ones would be busy for this share of the time. */
const fullUtilization = 0.75;

/** The number of threads for a load: the sum of the shares of the time in which each thread was busy. */
export const threadsFor = (load: number, usual: number): number => Math.max(usual, Math.ceil(load / fullUtilization));

export interface WorkerThreadsOptions {
  /** Number of threads without load. */
  readonly usual: number;
  /** Largest number of threads. */
  readonly most: number;
  /** The first thread that boots opens the engine for the others. */
  readonly boot: Omit<BootData, "engine">;
  readonly data: Omit<ThreadData, "heartbeat" | "journal" | "clock">;
  readonly events: WorkerThreadEvents;
}

/** The threads of a pool: more than usual while those are busy, and one spare. */
export interface WorkerThreads {
  readonly used: ReadonlySet<WorkerThread>;
  readonly most: number;
  /** Number of threads that can run calls, including the spare one. */
  ready(): number;
  /** Threads that were started so far. */
  readonly starts: number;
  /** Starts the usual threads. */
  warm(): void;
  /** Adds a thread if there are fewer than `most` and no other is booting. */
  addIfRoom(): WorkerThread | undefined;
  booted(thread: WorkerThread, engine: Engine | undefined): void;
  /** To be called when a call has ended. Ends threads beyond the usual number that were not needed for some seconds. */
  trim(): void;
  /** Forgets a thread that is gone. False: threads do not boot. */
  lose(thread: WorkerThread): boolean;
  /** Starts the missing usual threads, and the spare one. */
  refill(): void;
  close(): Promise<void>;
}

/** Whether the thread has been in guest code for so long that new calls go elsewhere. */
export function isBusy(thread: WorkerThread): boolean {
  const { callId, enteredAt } = thread.beat.read();
  return callId !== 0 && sharedNow() - enteredAt > longEntryMs;
}

export function createWorkerThreads({ usual, most, boot, data, events }: WorkerThreadsOptions): WorkerThreads {
  const used = new Set<WorkerThread>();
  let opened: Engine | undefined;
  let starts = 0;
  let bootFailures = 0;
  let isClosing = false;
  /** So that the first call that is moved away from a busy thread need not wait for a boot. */
  let spare: WorkerThread | undefined;
  let cancelSpare: (() => void) | undefined;
  let cancelTrim: (() => void) | undefined;

  const start = (): WorkerThread => {
    starts += 1;
    return createWorkerThread(opened ? { ...boot, engine: opened } : boot, data, events);
  };

  function release(thread: WorkerThread): void {
    used.delete(thread);
    if (spare) {
      thread.closed = true;
      thread.isEndedByScheduler = true;
      void thread.terminate();
    } else spare = thread;
  }

  /**
   * Ends threads that the load since the last trim did not need. How many had calls at once says little: sources return to
   * the thread that ran them before, so that a light load stays spread over all threads of a heavy one.
   */
  function trimNow(): void {
    cancelTrim = undefined;
    if (isClosing) return;
    let load = 0;
    for (const thread of used) load += thread.utilization();
    const needed = threadsFor(load, usual);
    if (![...used].some(isBusy))
      for (const thread of used) if (used.size > needed && thread.calls.size === 0 && !thread.closed) release(thread);
    if (used.size > usual) cancelTrim = startTimer(trimNow, trimIntervalMs);
  }

  function addSpare(): void {
    if (!isClosing && used.size <= usual) spare ??= start();
  }

  function add(): WorkerThread {
    const thread = spare ?? start();
    spare = undefined;
    used.add(thread);
    return thread;
  }

  function warm(): void {
    if (isClosing) return;
    while (used.size < usual) add();
  }

  const all = (): WorkerThread[] => [...used, ...(spare ? [spare] : [])];

  return {
    used,
    most,
    get starts() {
      return starts;
    },
    ready: () => all().filter((thread) => thread.ready && !thread.closed).length,
    warm,
    addIfRoom() {
      const isBooting = [...used].some((thread) => !thread.ready && !thread.closed);
      return used.size < most && !isBooting ? add() : undefined;
    },
    booted(thread, engine) {
      thread.ready = true;
      bootFailures = 0;
      opened ??= engine;
      cancelSpare ??= startTimer(addSpare, spareDelayMs);
    },
    trim() {
      if (isClosing || used.size <= usual) return;
      cancelTrim ??= startTimer(trimNow, trimIntervalMs);
    },
    lose(thread) {
      used.delete(thread);
      if (spare === thread) spare = undefined;
      if (!thread.ready && !thread.isEndedByScheduler) bootFailures += 1;
      return bootFailures < maxBootFailures;
    },
    refill() {
      if (isClosing) return;
      warm();
      addSpare();
    },
    async close() {
      isClosing = true;
      cancelSpare?.();
      cancelTrim?.();
      await Promise.all(all().map((thread) => thread.terminate()));
    },
  };
}
