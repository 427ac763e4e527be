import { availableParallelism } from "node:os";

import { LRUCache } from "lru-cache";

import type { Limits } from "../options.ts";
import type { Bundle, CallHost, CallLimits, Description, Outcome, Sandbox, SandboxCall } from "./contract.ts";
import { findBaseImage } from "./base-image.ts";
import { closedError, closedOutcome } from "./closed.ts";
import { type EngineFiles, loadEngineCode, readEngineFiles } from "./engine.ts";
import { sharedNow } from "./heartbeat.ts";
import { keepImages } from "./kept-images.ts";
import { leavingCalls } from "./leaving-calls.ts";
import type { FromWorker } from "./messages.ts";
import { RunningCall } from "./running-call.ts";
import { createSeat, type Seat } from "./seat.ts";
import { createTickets } from "./tickets.ts";
import { afterFirstCalm, createWatchdog, hogMs } from "./watchdog.ts";

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
const maxDescribeRestarts = 10;
const maxBootFailures = 3;
const heavySources = 10_000;

interface Describing {
  readonly bundle: Bundle;
  readonly limits: CallLimits;
  readonly resolve: (description: Description) => void;
  restarts: number;
}

/**
 * Schedules calls over worker threads: a source prefers the thread that knows it; a thread that is kept busy gets no new
 * calls and gives back those it has not begun; a thread that outlives a deadline is ended, and its other calls start over
 * elsewhere.
 */
export async function createPool(options: PoolOptions): Promise<Sandbox> {
  const { limits } = options;
  const workers = options.workers ?? Math.max(1, availableParallelism() - 1);
  const maxSeats = Math.max(workers * 2, workers + 3);
  const files = options.files ?? readEngineFiles();
  const engine = await loadEngineCode(files);
  const tickets = createTickets();
  const images = keepImages(imageBytes);
  const heavy = new LRUCache<string, true>({ max: heavySources });
  const homes = new LRUCache<string, Seat>({ max: heavySources });
  const seats = new Set<Seat>();
  const calls = new Map<number, RunningCall>();
  const describing = new Map<number, Describing>();
  const queue: RunningCall[] = [];
  let base = findBaseImage(files);
  let bootFailures = 0;
  let lastId = 0;
  let closing = false;

  const nextId = (): number => (lastId = lastId >= 2 ** 31 - 2 ? 1 : lastId + 1);
  const isHogged = (seat: Seat): boolean => {
    const { callId, enteredAt } = seat.beat.read();
    return callId !== 0 && sharedNow() - enteredAt > hogMs;
  };
  const isOpen = (seat: Seat): boolean => !seat.closed && !isHogged(seat);
  const runsHeavy = (seat: Seat): boolean =>
    [...seat.calls].some((id) => heavy.has(calls.get(id)?.call.sourceId ?? ""));

  const boot = (): Seat =>
    createSeat(
      {
        engine,
        tickets: tickets.buffer,
        base,
        idleBytes: idleBytesPerSeat,
        memoryBytes: limits.memoryBytes,
        rules: limits,
        instrumented: options.counted !== undefined,
      },
      { message, gone },
    );

  /** A booted thread in reserve, so that the first call to be moved away from a busy one need not wait for a start. */
  let spare: Seat | undefined;
  let cancelReserve: (() => void) | undefined;

  function reserve(): void {
    if (!closing && seats.size <= workers) spare ??= boot();
  }

  function addSeat(): Seat {
    const seat = spare ?? boot();
    spare = undefined;
    seats.add(seat);
    return seat;
  }

  function warm(): void {
    if (closing) return;
    while (seats.size < workers) addSeat();
  }

  /** The thread for a call; undefined when all are kept busy and no more may start. */
  function pick(sourceId: string): Seat | undefined {
    warm();
    const isHeavy = heavy.has(sourceId);
    const home = homes.get(sourceId);
    const open = [...seats].filter((seat) => isOpen(seat) && (isHeavy ? seat.calls.size === 0 : !runsHeavy(seat)));
    if (isHeavy && [...seats].filter(runsHeavy).length >= Math.max(1, Math.floor(maxSeats / 2))) return undefined;
    if (home && open.includes(home)) return home;
    const least = open.reduce<Seat | undefined>(
      (found, seat) => (found && found.calls.size <= seat.calls.size ? found : seat),
      undefined,
    );
    return least ?? (seats.size < maxSeats ? addSeat() : undefined);
  }

  function dispatch(running: RunningCall): void {
    const seat = pick(running.call.sourceId);
    if (!seat) {
      queue.push(running);
      return;
    }
    homes.set(running.call.sourceId, seat);
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
        seat.ready = true;
        bootFailures = 0;
        base ??= given.base;
        cancelReserve ??= afterFirstCalm(reserve);
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
        const order = describing.get(given.id);
        release(seat, given.id);
        if (!order) break;
        describing.delete(given.id);
        if (given.image) images.set(order.bundle.hash, given.image);
        order.resolve(given.error ? { ok: false, error: given.error } : { ok: true, json: given.json ?? "null" });
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

  /** A call of this seat is over: waiting ones may go, and a seat beyond the usual number may leave. */
  function release(seat: Seat, id: number): void {
    seat.drop(id);
    if (queue.length > 0) dispatchQueue();
    if (seat.closed || closing) return;
    if (seats.size > workers && seat.calls.size === 0 && ![...seats].some(isHogged)) {
      seats.delete(seat);
      if (spare) {
        seat.closed = true;
        seat.cleared = true;
        void seat.terminate();
      } else spare = seat;
    }
  }

  /** The thread is gone. The call it was in ends; the others, which did nothing wrong, start over. */
  function gone(seat: Seat, problem: string): void {
    seats.delete(seat);
    if (spare === seat) spare = undefined;
    if (!seat.ready && !seat.cleared) bootFailures += 1;
    const cannotBoot = bootFailures >= maxBootFailures;
    const { callId, deadline } = seat.beat.read();
    for (const id of seat.calls) {
      const running = calls.get(id);
      const order = describing.get(id);
      const late = id === callId && sharedNow() >= deadline;
      // A thread that ends outside of guest code, again and again, does so because of what it was given.
      if (
        order &&
        (closing || cannotBoot || (!seat.cleared && (id === callId || order.restarts >= maxDescribeRestarts)))
      ) {
        describing.delete(id);
        const name = order.limits.timeoutMs;
        const text = late
          ? `Evaluating the module took longer than ${name} ms`
          : `Evaluating the module ended the sandbox: ${problem}`;
        order.resolve({
          ok: false,
          error: { code: late ? "sandbox_timeout" : "sandbox_crashed", name: "Error", message: text, stack: "" },
        });
      } else if (order) {
        if (!seat.cleared) order.restarts += 1;
        postDescribe(id, order);
      }
      if (!running) continue;
      calls.delete(id);
      // Without threads there is no runtime: what was to run stays where it came from.
      if (closing || cannotBoot) running.end(closedOutcome());
      else if (!seat.cleared && (id === callId || running.restarts >= maxRestarts)) {
        heavy.set(running.call.sourceId, true);
        running.end(ended(running, late, problem));
      } else {
        if (!seat.cleared) running.restarts += 1;
        startOver(running);
      }
    }
    seat.calls.clear();
    // Threads that cannot start are tried again with the next call, not for ever.
    if (cannotBoot) endQueue();
    if (closing || cannotBoot) return;
    warm();
    spare ??= boot();
    dispatchQueue();
  }

  function endQueue(): void {
    for (const running of queue.splice(0)) {
      calls.delete(running.id);
      running.end(closedOutcome());
    }
  }

  function startOver(running: RunningCall): void {
    running.startOver();
    again(running);
  }

  function again(running: RunningCall): void {
    running.id = nextId();
    calls.set(running.id, running);
    dispatch(running);
  }

  /** Nobody waits for this call any more. A thread that it keeps busy is ended; other calls there start over. */
  function cancel(running: RunningCall): void {
    calls.delete(running.id);
    const place = queue.indexOf(running);
    if (place >= 0) queue.splice(place, 1);
    const seat = [...seats].find((each) => each.calls.has(running.id));
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

  function postDescribe(id: number, order: Describing): void {
    const seat = pick("") ?? [...seats][0] ?? addSeat();
    seat.take(id);
    seat.post({ k: "describe", id, ticket: tickets.take(), code: order.bundle.code, limits: order.limits });
    watchdog.watch();
  }

  const watchdog = createWatchdog({
    seats,
    isIdle: () => calls.size === 0 && describing.size === 0,
    hogged(seat, callId, busyMs) {
      const hog = calls.get(callId);
      if (hog && busyMs > 250) heavy.set(hog.call.sourceId, true);
      for (const { running, begun } of leavingCalls(seat.calls, { hogId: callId, busyMs, calls, tickets })) {
        seat.drop(running.id);
        calls.delete(running.id);
        if (begun) {
          seat.post({ k: "drop", id: running.id });
          startOver(running);
        } else again(running);
      }
      if (queue.length > 0) dispatchQueue();
    },
  });

  return {
    warm,
    describe: (bundle, callLimits) =>
      new Promise((resolve) => {
        if (closing) {
          resolve({ ok: false, error: closedError });
          return;
        }
        const id = nextId();
        const order = { bundle, limits: callLimits, resolve, restarts: 0 };
        describing.set(id, order);
        postDescribe(id, order);
      }),
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
        running.id = nextId();
        calls.set(running.id, running);
        dispatch(running);
      }),
    async close() {
      closing = true;
      cancelReserve?.();
      watchdog.stop();
      await Promise.all([...seats, ...(spare ? [spare] : [])].map((seat) => seat.terminate()));
      endQueue();
    },
  };
}

function failed(status: Outcome["status"], code: string, text: string): Outcome {
  const name = status === "timeout" ? "TimeoutError" : status === "out_of_memory" ? "MemoryError" : "Error";
  const error = { code, name, message: text, stack: `${name}: ${text}` };
  return { status, error, durationMs: 0, computeMs: 0, memoryBytes: 0 };
}

/** How a call ended whose thread had to be stopped, or stopped by itself. */
function ended(running: RunningCall, late: boolean, problem: string): Outcome {
  const { entry, limits } = running.call;
  if (late) {
    const outcome = failed(
      "timeout",
      "sandbox_timeout",
      `${entry} ran longer than ${limits.timeoutMs} ms and was stopped.`,
    );
    return { ...outcome, durationMs: limits.timeoutMs, computeMs: limits.timeoutMs };
  }
  return failed("error", "sandbox_crashed", `${entry} broke its sandbox and was stopped: ${problem}.`);
}
