import { availableParallelism } from "node:os";

import type { Limits } from "../../options.ts";
import { findBaseImage } from "../machine/base-image.ts";
import { closedError, closedOutcome } from "../closed.ts";
import type { CallHost, Outcome, Sandbox, SandboxCall } from "../contract.ts";
import { createDescriptions } from "./descriptions.ts";
import { type EngineFiles, loadEngineCode, readEngineFiles } from "../machine/quickjs-machine.ts";
import { sharedNow } from "../thread/heartbeat.ts";
import { keepImages } from "../machine/kept-images.ts";
import { leavingCalls } from "./leaving-calls.ts";
import type { FromWorker } from "../thread/messages.ts";
import { createPlacement } from "./placement.ts";
import { RunningCall } from "./running-call.ts";
import type { Seat } from "./seat.ts";
import { createSeats } from "./seats.ts";
import { endedOutcome, isToBlame, type ThreadEnd } from "./thread-end.ts";
import { createTickets } from "./tickets.ts";
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

const idleBytesPerSeat = 256 * 1024 * 1024;
const imageBytes = 512 * 1024 * 1024;
const maxRestarts = 3;
/** A call that kept its thread busy for so long makes its source a heavy one. */
const heavyMs = 250;

/**
 * Schedules calls over worker threads: a source prefers the thread that knows it; a thread that is kept busy gets no new
 * calls and gives back those it has not begun; a thread that outlives a deadline is ended, and its other calls start over
 * elsewhere.
 */
export async function createPool(options: PoolOptions): Promise<Sandbox> {
  const { limits } = options;
  const usual = options.workers ?? Math.max(1, availableParallelism() - 1);
  const most = Math.max(usual * 2, usual + 3);
  const files = options.files ?? readEngineFiles();
  const tickets = createTickets();
  const images = keepImages(imageBytes);
  const calls = new Map<number, RunningCall>();
  const queue: RunningCall[] = [];
  let lastId = 0;
  let closing = false;

  const nextId = (): number => (lastId = lastId >= 2 ** 31 - 2 ? 1 : lastId + 1);
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
  const placement = createPlacement({ seats, most, sourceOf: (id) => calls.get(id)?.call.sourceId });
  const descriptions = createDescriptions({
    nextId,
    takeTicket: tickets.take,
    findSeat: () => placement.find("") ?? [...seats.used][0] ?? seats.add(),
    posted: () => watchdog.watch(),
  });

  function dispatch(running: RunningCall): void {
    const { sourceId } = running.call;
    const seat = placement.find(sourceId);
    if (!seat) {
      queue.push(running);
      return;
    }
    placement.settle(sourceId, seat);
    running.ticket = tickets.take();
    seat.take(running.id);
    seat.post(running.order());
    watchdog.watch();
  }

  function dispatchQueue(): void {
    for (const running of queue.splice(0)) dispatch(running);
  }

  function message(seat: Seat, given: FromWorker): void {
    switch (given.k) {
      case "ready":
        seats.booted(seat, given.base);
        break;
      case "need": {
        const code = [...seat.calls]
          .map((id) => calls.get(id)?.call.bundle)
          .find((bundle) => bundle?.hash === given.hash)?.code;
        seat.post({ k: "bundle", hash: given.hash, image: images.get(given.hash), code: code ?? "" });
        break;
      }
      case "image":
        images.set(given.hash, given.image);
        break;
      case "counters":
        options.counted?.(given.counted);
        break;
      case "described": {
        release(seat, given.id);
        const bundle = descriptions.answer(given);
        if (bundle && given.image) images.set(bundle.hash, given.image);
        break;
      }
      default: {
        const running = calls.get(given.id);
        if (given.k === "end") {
          calls.delete(given.id);
          release(seat, given.id);
        }
        running?.receive(given, seat.post);
      }
    }
  }

  /** A call of this seat is over: waiting ones may go, and the seat may leave. */
  function release(seat: Seat, id: number): void {
    seat.drop(id);
    if (queue.length > 0) dispatchQueue();
    seats.rest(seat);
  }

  /** The thread is gone. The call it was in ends; the others, which did nothing wrong, start over. */
  function gone(seat: Seat, problem: string): void {
    const canBoot = seats.lose(seat);
    const { callId, deadline } = seat.beat.read();
    for (const id of seat.calls) {
      const wasInside = id === callId;
      const isLate = wasInside && sharedNow() >= deadline;
      const end = {
        problem,
        isClosing: closing,
        isFinal: closing || !canBoot,
        isCleared: seat.cleared,
        wasInside,
        isLate,
      };
      descriptions.lost(id, end);
      const running = calls.get(id);
      if (running) lost(running, end);
    }
    seat.calls.clear();
    // Threads that cannot start are tried again with the next call, not for ever.
    if (!canBoot) endQueue();
    if (closing || !canBoot) return;
    seats.refill();
    dispatchQueue();
  }

  function lost(running: RunningCall, end: ThreadEnd): void {
    calls.delete(running.id);
    // Without threads there is no runtime: what was to run stays where it came from.
    if (end.isFinal) running.end(closedOutcome());
    else if (isToBlame(end, running.restarts, maxRestarts)) {
      placement.markHeavy(running.call.sourceId);
      running.end(endedOutcome(running.call, end));
    } else {
      if (!end.isCleared) running.restarts += 1;
      startOver(running);
    }
  }

  function endQueue(): void {
    for (const running of queue.splice(0)) {
      calls.delete(running.id);
      running.end(closedOutcome());
    }
  }

  function startOver(running: RunningCall): void {
    running.startOver();
    admit(running);
  }

  /** Under a new id. */
  function admit(running: RunningCall): void {
    running.id = nextId();
    calls.set(running.id, running);
    dispatch(running);
  }

  /** Nobody waits for this call any more. A thread that it keeps busy is ended; other calls there start over. */
  function cancel(running: RunningCall): void {
    calls.delete(running.id);
    const place = queue.indexOf(running);
    if (place >= 0) queue.splice(place, 1);
    const seat = [...seats.used].find((each) => each.calls.has(running.id));
    if (seat) {
      const begun = !tickets.withdraw(running.ticket);
      // Its module may be evaluated before it has begun.
      const isInside = seat.beat.read().callId === running.id;
      if (isInside) seat.closed = seat.cleared = true;
      release(seat, running.id);
      if (begun) seat.post({ k: "drop", id: running.id });
      if (isInside) void seat.terminate();
    }
    running.end(closedOutcome());
  }

  const watchdog = createWatchdog({
    seats: seats.used,
    isIdle: () => calls.size === 0 && descriptions.size === 0,
    hogged(seat, callId, busyMs) {
      const hog = calls.get(callId);
      if (hog && busyMs > heavyMs) placement.markHeavy(hog.call.sourceId);
      for (const { running, begun } of leavingCalls(seat.calls, { hogId: callId, busyMs, calls, tickets })) {
        seat.drop(running.id);
        calls.delete(running.id);
        if (begun) {
          seat.post({ k: "drop", id: running.id });
          startOver(running);
        } else admit(running);
      }
      if (queue.length > 0) dispatchQueue();
    },
  });

  return {
    warm: seats.warm,
    describe: async (bundle, callLimits) =>
      closing ? { ok: false, error: closedError } : descriptions.ask(bundle, callLimits),
    call: (call: SandboxCall, host: CallHost, signal?: AbortSignal) =>
      new Promise<Outcome>((resolve) => {
        if (closing || signal?.aborted) {
          resolve(closedOutcome());
          return;
        }
        const running = new RunningCall(call, host, (outcome) => {
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
