import { availableParallelism } from "node:os";

import type { SandboxStats } from "../contract.ts";
import type { ImageCache } from "../machine/image-cache.ts";
import type { PackedImage } from "../machine/packed-image.ts";
import { sharedNow } from "../thread/shared-clock.ts";
import { buffersOf, type FromWorker } from "../thread/messages.ts";
import { isToBlame, type Job, JobQueue, type ThreadEnd } from "./job.ts";
import { leavingCalls } from "./leaving-calls.ts";
import { createLongJobControl, isLong } from "./long-jobs.ts";
import { createPlacement, type Placement } from "./placement.ts";
import { createProcessors } from "./processors.ts";
import { createTickets } from "./tickets.ts";
import { createCrashPause, createUsage, inFairOrder } from "./fair-queue.ts";
import { createWatchdog, type Watchdog } from "./watchdog.ts";
import type { WorkerThread } from "./worker-thread.ts";
import { createWorkerThreads, type WorkerThreads, type WorkerThreadsOptions } from "./worker-threads.ts";

/** The pool may have twice the usual number of threads, and at least this many. */
const minMaximum = 8;

export interface SchedulerOptions {
  /** Number of threads without load; default: cores - 1, at least 1. */
  readonly workers: number | undefined;
  readonly boot: WorkerThreadsOptions["boot"];
  readonly data: Omit<WorkerThreadsOptions["data"], "tickets">;
  readonly images: ImageCache<PackedImage>;
  /** Receives the counters of instrumented code, as JSON. */
  readonly counted: ((counters: string) => void) | undefined;
}

/**
 * Assigns jobs to worker threads. A source prefers the thread that ran it before. A busy thread gets no new jobs and gives
 * back those it has not begun. A thread that passes a deadline is ended, and its other jobs start over elsewhere. Long jobs
 * take turns and leave threads to the others; those that find no free thread wait and start over later.
 */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #jobs = new Map<number, Job>();
  readonly #queue = new JobQueue();
  readonly #tickets = createTickets();
  readonly #usage = createUsage();
  readonly #crashPause = createCrashPause();
  readonly #threads: WorkerThreads;
  readonly #placement: Placement;
  readonly #watchdog: Watchdog;
  #lastId = 0;
  #imageMisses = 0;
  #threadKills = 0;
  #isClosing = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    const cores = availableParallelism();
    const usual = options.workers ?? Math.max(1, cores - 1);
    const jobOf = (id: number): Job | undefined => this.#jobs.get(id);
    const threads = createWorkerThreads({
      usual,
      most: Math.max(usual * 2, minMaximum),
      boot: options.boot,
      data: { ...options.data, tickets: this.#tickets.buffer },
      events: {
        message: (thread, message) => this.#receive(thread, message),
        gone: (thread, problem) => this.#lose(thread, problem),
      },
    });
    const placement = createPlacement({ threads, jobOf });
    const processors = createProcessors({ cores, threads: threads.used, usage: this.#usage, jobOf });
    const longJobs = createLongJobControl({
      threads,
      placement,
      jobOf,
      move: (thread, job) => {
        this.#withdraw(thread, job);
        this.#startOver(job);
      },
    });
    this.#threads = threads;
    this.#placement = placement;
    this.#watchdog = createWatchdog({
      threads: threads.used,
      isIdle: () => this.#jobs.size === 0,
      beforeRound: (now) => {
        processors.share(now);
        longJobs.check(now, this.#queue.hasShort);
        this.#assignShort();
        this.#assignAll(this.#queue.takeLong());
      },
      busy: (thread, callId, busyMs) => this.#moveOthers(thread, callId, busyMs),
    });
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  stats(): Omit<SandboxStats, "calls"> {
    const { starts } = this.#threads;
    return {
      imageMisses: this.#imageMisses,
      threads: this.#threads.ready(),
      threadStarts: starts,
      threadKills: this.#threadKills,
    };
  }

  /** Starts the usual threads. */
  warm(): void {
    this.#threads.warm();
  }

  /** Gives the job a new id and a thread, or queues it. */
  add(job: Job): void {
    this.#lastId = this.#lastId >= 2 ** 31 - 2 ? 1 : this.#lastId + 1;
    job.id = this.#lastId;
    job.isLong = this.#placement.weightOf(job.sourceId) === "heavy";
    this.#jobs.set(job.id, job);
    this.#assign(job);
  }

  /** Ends a job as closed. The thread that executes it is ended; other jobs there start over. */
  cancel(job: Job): void {
    this.#queue.remove(job);
    const thread = [...this.#threads.used].find((each) => each.calls.has(job.id));
    this.#jobs.delete(job.id);
    if (thread) {
      // The thread executes the job, or evaluates its module before.
      const isInside = thread.beat.read().callId === job.id;
      if (isInside) thread.closed = thread.isEndedByScheduler = true;
      this.#withdraw(thread, job);
      this.#release(thread, job.id);
      if (isInside) void thread.terminate();
    }
    job.close();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#watchdog.stop();
    // Before the threads: one that becomes free must not get a waiting job.
    this.#closeQueue();
    await this.#threads.close();
  }

  /** Gives the job to a thread, or queues it when no thread may take it. */
  #assign(job: Job): void {
    this.#watchdog.watch();
    const thread = this.#crashPause.mayBegin(job.sourceId, sharedNow()) ? this.#placement.find(job) : undefined;
    if (!thread) {
      this.#queue.add(job);
      return;
    }
    job.ticket = this.#tickets.take();
    job.seenAt = sharedNow();
    this.#placement.settle(job, thread, job.seenAt);
    thread.add(job.id);
    const message = job.message();
    thread.post(message, buffersOf(message));
    job.posted?.(thread.post);
  }

  #assignAll(waiting: readonly Job[]): void {
    const rules = { usage: this.#usage, weightOf: this.#placement.weightOf };
    for (const job of inFairOrder(waiting, rules, sharedNow())) this.#assign(job);
  }

  #assignShort(): void {
    if (this.#queue.hasShort && this.#placement.isOpen()) this.#assignAll(this.#queue.takeShort());
  }

  #receive(thread: WorkerThread, message: FromWorker): void {
    const { images, counted } = this.#options;
    switch (message.k) {
      case "ready":
        this.#threads.booted(thread, message.engine);
        this.#assignShort();
        break;
      case "need": {
        const bundles = [...thread.calls].map((id) => this.#jobs.get(id)?.code);
        const code = bundles.find((bundle) => bundle?.hash === message.hash)?.code;
        thread.post({ k: "bundle", hash: message.hash, image: images.get(message.hash), code });
        break;
      }
      case "image":
        this.#imageMisses += 1;
        images.set(message.hash, message.image);
        break;
      case "counters":
        counted?.(message.counted);
        break;
      case "captured":
      case "end": {
        const job = this.#jobs.get(message.id);
        if (job) this.#forget(job);
        if (job && message.k === "captured" && message.image) images.setDescribed(job.code.hash, message.image);
        this.#release(thread, message.id);
        job?.receive(message, thread.post);
        break;
      }
      default:
        this.#jobs.get(message.id)?.receive(message, thread.post);
    }
  }

  /** Removes a job that its thread has finished. */
  #forget(job: Job): void {
    this.#jobs.delete(job.id);
    this.#crashPause.ended(job.sourceId);
    this.#placement.note(job.sourceId, isLong(job.cpuMs, false) ? "heavy" : "light", sharedNow());
  }

  /** Removes a job from its thread. Then others may start, and threads that are not needed end. */
  #release(thread: WorkerThread, id: number): void {
    thread.remove(id);
    this.#assignShort();
    this.#threads.trim();
  }

  /** Handles the end of a thread: the job that it executed ends, its other jobs start over. */
  #lose(thread: WorkerThread, problem: string): void {
    if (!this.#isClosing && thread.ready && !thread.isEndedByScheduler) this.#threadKills += 1;
    this.#placement.forget(thread);
    const canBoot = this.#threads.lose(thread);
    const { callId, deadline } = thread.beat.read();
    for (const id of thread.calls) {
      const job = this.#jobs.get(id);
      if (!job) continue;
      const wasInside = id === callId;
      this.#endOrStartOver(job, {
        problem,
        isClosing: this.#isClosing,
        isFinal: this.#isClosing || !canBoot,
        isEndedByScheduler: thread.isEndedByScheduler,
        wasInside,
        isLate: wasInside && sharedNow() >= deadline,
      });
    }
    thread.calls.clear();
    // No thread can start, so waiting jobs would wait for ever. The next job tries to start threads again.
    if (!canBoot) this.#closeQueue();
    if (this.#isClosing || !canBoot) return;
    this.#threads.refill();
    this.#assignShort();
  }

  #endOrStartOver(job: Job, end: ThreadEnd): void {
    this.#jobs.delete(job.id);
    const isCulprit = isToBlame(end, job);
    if (!end.isFinal && !isCulprit) {
      if (!end.isEndedByScheduler) job.restarts += 1;
      this.#startOver(job);
      return;
    }
    if (!end.isFinal) this.#placement.note(job.sourceId, "heavy", sharedNow());
    job.lost({ ...end, pauseMs: end.isFinal ? 0 : this.#crashPause.crashed(job.sourceId, sharedNow()) });
  }

  #closeQueue(): void {
    for (const job of [...this.#queue.takeShort(), ...this.#queue.takeLong()]) {
      this.#jobs.delete(job.id);
      job.close();
    }
  }

  #startOver(job: Job): void {
    job.startOver();
    this.add(job);
  }

  /** Takes a job from its thread. */
  #withdraw(thread: WorkerThread, job: Job): void {
    const begun = !this.#tickets.withdraw(job.ticket);
    thread.remove(job.id);
    this.#jobs.delete(job.id);
    if (begun) thread.post({ k: "drop", id: job.id });
  }

  /** Moves the other jobs of a busy thread to other threads. */
  #moveOthers(thread: WorkerThread, busyId: number, busyMs: number): void {
    const busy = { busyId, busyMs, calls: this.#jobs, tickets: this.#tickets };
    for (const { call: job, begun } of leavingCalls(thread.calls, busy)) {
      thread.remove(job.id);
      this.#jobs.delete(job.id);
      if (begun) {
        thread.post({ k: "drop", id: job.id });
        job.startOver();
      }
      this.add(job);
    }
  }
}
