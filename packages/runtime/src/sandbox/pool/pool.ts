import { availableParallelism } from "node:os";

import type { Limits } from "../../api/options.ts";
import { findBaseImage } from "../machine/base-image.ts";
import { closedError, closedOutcome } from "../closed.ts";
import type { CallHost, Description, Outcome, Sandbox, SandboxCall } from "../contract.ts";
import { createCrashPace } from "./crash-pace.ts";
import { RunningDescription } from "./description.ts";
import { Flight } from "./flight.ts";
import { type EngineFiles, loadEngineCode, readEngineFiles } from "../machine/engine-files.ts";
import { sharedNow } from "../thread/heartbeat.ts";
import { createImageCache } from "../machine/image-cache.ts";
import type { Job } from "./job.ts";
import { leavingCalls } from "./leaving-calls.ts";
import { chooseLeaving, isCalm, isLong, longBounds } from "./long-jobs.ts";
import type { FromWorker } from "../thread/messages.ts";
import { createPlacement } from "./placement.ts";
import { createProcessors } from "./processors.ts";
import { RunningCall } from "./running-call.ts";
import type { Seat } from "./seat.ts";
import { createSeats } from "./seats.ts";
import { isToBlame, type ThreadEnd } from "./thread-end.ts";
import { createTickets } from "./tickets.ts";
import { inTurn } from "./turns.ts";
import { createUsage } from "./usage.ts";
import { createWatchdog } from "./watchdog.ts";

export interface PoolOptions {
  /** Threads in calm times; default: cores - 1, at least 1. */
  readonly workers?: number | undefined;
  readonly limits: Limits;
  /** Another engine or prelude, for tests. */
  readonly files?: EngineFiles;
  /** Bundles are instrumented: told what they have counted, as JSON text, after each module and call that ran. */
  readonly counted?: ((counters: string) => void) | undefined;
}

const idleBytesPerSeat = 64 * 1024 * 1024;
const imageBytes = 384 * 1024 * 1024;
/** Threads at the most, where they are not twice as many as usual. */
const leastMost = 8;
/** A call that was sent away and is still in guest code by then cannot be interrupted: its thread is ended. */
const leaveMs = 100;

/**
 * Schedules jobs over worker threads: a source prefers the thread that knows it; a thread that is kept busy gets no new
 * jobs and gives back those it has not begun; a thread that outlives a deadline is ended, and its other jobs start over
 * elsewhere. Long jobs take turns and leave threads to the others: those that find no thread for themselves start over later.
 */
export async function createPool(options: PoolOptions): Promise<Sandbox> {
  const { limits } = options;
  const cores = availableParallelism();
  const usual = options.workers ?? Math.max(1, cores - 1);
  const most = Math.max(usual * 2, leastMost);
  const files = options.files ?? readEngineFiles();
  const tickets = createTickets();
  const images = createImageCache(imageBytes);
  const jobs = new Map<number, Job>();
  /** What waits for a thread; long jobs for themselves, so that however many they are the others need not be sorted. */
  const queue: Job[] = [];
  const longQueue: Job[] = [];
  let lastId = 0;
  let closing = false;

  const nextId = (): number => (lastId = lastId >= 2 ** 31 - 2 ? 1 : lastId + 1);
  const jobOf = (id: number): Job | undefined => jobs.get(id);
  const seats = createSeats({
    usual,
    most,
    base: findBaseImage(files),
    data: {
      engine: await loadEngineCode(files),
      tickets: tickets.buffer,
      idleBytes: idleBytesPerSeat,
      memoryBytes: limits.memoryBytes,
      rules: limits,
      instrumented: options.counted !== undefined,
    },
    events: { message, gone },
  });
  const flight = new Flight(limits.fetchBytesInFlight);
  const placement = createPlacement({ seats, jobOf });
  const usage = createUsage();
  const crashPace = createCrashPace();
  const processors = createProcessors({ cores, seats: seats.used, usage, jobOf });

  function dispatch(job: Job): void {
    watchdog.watch();
    const seat = crashPace.mayBegin(job.sourceId, sharedNow()) ? placement.find(job) : undefined;
    if (!seat) {
      (job.isLong ? longQueue : queue).push(job);
      return;
    }
    placement.settle(job, seat);
    job.ticket = tickets.take();
    job.seenAt = sharedNow();
    seat.take(job.id);
    seat.post(job.message());
  }

  const inOrder = (waiting: Job[]): readonly Job[] =>
    inTurn(waiting.splice(0), { usage, weightOf: placement.weightOf }, sharedNow());

  function dispatchQueue(): void {
    if (queue.length > 0 && placement.isOpen()) for (const job of inOrder(queue)) dispatch(job);
  }

  /** Long jobs wait for each other long enough; they are looked at now and then. */
  function dispatchLong(): void {
    if (longQueue.length > 0) for (const job of inOrder(longQueue)) dispatch(job);
  }

  function message(seat: Seat, given: FromWorker): void {
    switch (given.k) {
      case "ready":
        seats.booted(seat, given.base);
        dispatchQueue();
        break;
      case "need": {
        const code = [...seat.calls]
          .map((id) => jobs.get(id)?.code)
          .find((bundle) => bundle?.hash === given.hash)?.code;
        seat.post({ k: "bundle", hash: given.hash, image: images.get(given.hash), code });
        break;
      }
      case "image":
        images.set(given.hash, given.image);
        break;
      case "counters":
        options.counted?.(given.counted);
        break;
      case "described":
      case "end": {
        const job = jobs.get(given.id);
        if (job) ended(job);
        if (job && given.k === "described" && given.image) images.setDescribed(job.code.hash, given.image);
        release(seat, given.id);
        job?.receive(given, seat.post);
        break;
      }
      default:
        jobs.get(given.id)?.receive(given, seat.post);
    }
  }

  function ended(job: Job): void {
    jobs.delete(job.id);
    crashPace.ended(job.sourceId);
    placement.note(job.sourceId, isLong(job.cpuMs, false) ? "heavy" : "light");
  }

  /** A job of this seat is over: waiting ones may go, and the seat may leave. */
  function release(seat: Seat, id: number): void {
    seat.drop(id);
    dispatchQueue();
    seats.rest();
  }

  /** The thread is gone. The job it was in ends; the others, which did nothing wrong, start over. */
  function gone(seat: Seat, problem: string): void {
    const canBoot = seats.lose(seat);
    const { callId, deadline } = seat.beat.read();
    for (const id of seat.calls) {
      const wasInside = id === callId;
      const isLate = wasInside && sharedNow() >= deadline;
      const job = jobs.get(id);
      if (!job) continue;
      lost(job, {
        problem,
        isClosing: closing,
        isFinal: closing || !canBoot,
        isCleared: seat.cleared,
        wasInside,
        isLate,
      });
    }
    seat.calls.clear();
    // Threads that cannot start are tried again with the next call, not for ever.
    if (!canBoot) endQueue();
    if (closing || !canBoot) return;
    seats.refill();
    dispatchQueue();
  }

  function lost(job: Job, end: ThreadEnd): void {
    jobs.delete(job.id);
    const isCulprit = isToBlame(end, job.restarts, job.maxRestarts);
    if (!end.isFinal && !isCulprit) {
      if (!end.isCleared) job.restarts += 1;
      startOver(job);
      return;
    }
    if (!end.isFinal) {
      placement.note(job.sourceId, "heavy");
      crashPace.crashed(job.sourceId, sharedNow());
    }
    job.lost(end);
  }

  function endQueue(): void {
    for (const job of [...queue.splice(0), ...longQueue.splice(0)]) {
      jobs.delete(job.id);
      job.close();
    }
  }

  function startOver(job: Job): void {
    job.startOver();
    admit(job);
  }

  /** Under a new id. */
  function admit(job: Job): void {
    job.id = nextId();
    job.isLong = placement.weightOf(job.sourceId) === "heavy";
    jobs.set(job.id, job);
    dispatch(job);
  }

  /** Takes the job from its thread. False: the thread had not begun it. */
  function withdraw(seat: Seat, job: Job): boolean {
    const begun = !tickets.withdraw(job.ticket);
    seat.drop(job.id);
    jobs.delete(job.id);
    if (begun) seat.post({ k: "drop", id: job.id });
    return begun;
  }

  /** Nobody waits for this job any more. A thread that it keeps busy is ended; other jobs there start over. */
  function cancel(job: Job): void {
    for (const waiting of [queue, longQueue]) {
      const place = waiting.indexOf(job);
      if (place >= 0) waiting.splice(place, 1);
    }
    const seat = [...seats.used].find((each) => each.calls.has(job.id));
    jobs.delete(job.id);
    if (seat) {
      // Its module may be evaluated before it has begun.
      const isInside = seat.beat.read().callId === job.id;
      if (isInside) seat.closed = seat.cleared = true;
      withdraw(seat, job);
      release(seat, job.id);
      if (isInside) void seat.terminate();
    }
    job.close();
  }

  /** Marks what has become long, or short, and has long jobs leave their threads where there are too many. */
  function boundLong(now: number): void {
    const othersWait = queue.length > 0;
    for (const seat of seats.used) {
      const inside = seat.closed ? undefined : jobs.get(seat.beat.read().callId);
      if (inside && !inside.isLong && isLong(inside.cpuMs, othersWait)) {
        inside.isLong = true;
        placement.note(inside.sourceId, "heavy");
      }
      for (const id of seat.calls) {
        const job = jobs.get(id);
        if (job === inside || !job || !isCalm(job, now)) continue;
        job.isLong = false;
        job.cpuMs = 0;
      }
    }
    const long = placement.long();
    const bounds = longBounds(seats.ready(), most);
    for (let job = chooseLeaving([...long.keys()], bounds); job; job = chooseLeaving([...long.keys()], bounds)) {
      const seat = long.get(job);
      long.delete(job);
      if (seat) sendAway(seat, job, now);
    }
  }

  /** The job starts over when it is its turn again. */
  function sendAway(seat: Seat, job: Job, now: number): void {
    seat.leaving = { callId: job.id, since: now };
    seat.beat.sendAway(job.id);
    withdraw(seat, job);
    startOver(job);
  }

  function endStuck(now: number): void {
    for (const seat of seats.used) {
      const { leaving } = seat;
      if (!leaving || seat.closed) continue;
      if (seat.beat.read().callId !== leaving.callId) seat.leaving = undefined;
      else if (now - leaving.since > leaveMs) {
        seat.closed = seat.cleared = true;
        void seat.terminate();
      }
    }
  }

  const watchdog = createWatchdog({
    seats: seats.used,
    isIdle: () => jobs.size === 0,
    looks(now) {
      processors.look(now);
      boundLong(now);
      endStuck(now);
      dispatchQueue();
      dispatchLong();
    },
    hogged(seat, callId, busyMs) {
      for (const { running, begun } of leavingCalls(seat.calls, { hogId: callId, busyMs, calls: jobs, tickets })) {
        seat.drop(running.id);
        jobs.delete(running.id);
        if (begun) {
          seat.post({ k: "drop", id: running.id });
          running.startOver();
        }
        admit(running);
      }
    },
  });

  return {
    warm: seats.warm,
    describe: (bundle, callLimits) =>
      new Promise<Description>((resolve) => {
        if (closing) resolve({ ok: false, error: closedError });
        else admit(new RunningDescription(bundle, callLimits, resolve));
      }),
    call: (call: SandboxCall, host: CallHost, signal?: AbortSignal) =>
      new Promise<Outcome>((resolve) => {
        if (closing || signal?.aborted) {
          resolve(closedOutcome());
          return;
        }
        const running = new RunningCall(call, host, flight, (outcome) => {
          signal?.removeEventListener("abort", leave);
          resolve(outcome);
        });
        const leave = (): void => cancel(running);
        signal?.addEventListener("abort", leave);
        admit(running);
      }),
    async close() {
      closing = true;
      watchdog.stop();
      // Or a thread whose last call ends just now would be given one of them.
      endQueue();
      await seats.close();
    },
  };
}
