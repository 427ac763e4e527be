import { hostOp } from "../ops.ts";
import { advanceTime, fixedTime } from "./clock.ts";
import { send } from "./host.ts";
import type { LeftWork } from "./left-work.ts";
import { beginOrigin, enterOrigin, type Origin } from "./origin.ts";

interface Waiting {
  readonly run: () => void;
  readonly everyMs?: number;
  /** Due time in epoch ms on a fixed clock. */
  readonly dueMs: number | undefined;
  readonly delayMs: number;
  readonly origin: Origin;
  readonly timer: Timer;
}

const dueIn = (ms: number): number | undefined => {
  const now = fixedTime();
  return now === undefined ? undefined : now + ms;
};

const waiting = new Map<number, Waiting>();
let lastId = 0;

/** A timer object as in Node; converts to its id. */
class Timer {
  readonly id: number;
  #referenced = true;
  constructor(id: number) {
    this.id = id;
  }
  ref(): this {
    this.#referenced = true;
    return this;
  }
  unref(): this {
    this.#referenced = false;
    return this;
  }
  hasRef(): boolean {
    return this.#referenced;
  }
  refresh(): this {
    return this;
  }
  [Symbol.toPrimitive](): number {
    return this.id;
  }
}

const delayOf = (ms: unknown): number => {
  const delay = Number(ms);
  return delay >= 1 && delay <= 2_147_483_647 ? Math.trunc(delay) : 1;
};

function start(callback: unknown, ms: unknown, repeat: boolean, args: unknown[]): Timer {
  if (typeof callback !== "function")
    throw new TypeError(`The timer's callback must be a function, got ${typeof callback}`);
  const id = ++lastId;
  const delay = delayOf(ms);
  const run = (): void => {
    (callback as (...given: unknown[]) => void)(...args);
  };
  const dueMs = dueIn(ms === undefined ? 0 : delay);
  const timer = new Timer(id);
  const entry = { run, dueMs, delayMs: delay, origin: beginOrigin(), timer };
  waiting.set(id, repeat ? { ...entry, everyMs: delay } : entry);
  send(hostOp.timerStart, `[${id},${delay}]`);
  return timer;
}

function clear(timer: unknown): void {
  if (timer === undefined || timer === null) return;
  const id = Number(timer);
  if (waiting.delete(id)) send(hostOp.timerClear, String(id));
}

export function fireTimers(ids: number[], failed: (error: unknown) => void): void {
  for (const id of ids) {
    const timer = waiting.get(id);
    if (!timer) continue;
    advanceTime(timer.dueMs);
    enterOrigin(timer.origin);
    if (timer.everyMs === undefined) waiting.delete(id);
    else {
      waiting.set(id, { ...timer, dueMs: dueIn(timer.everyMs) });
      send(hostOp.timerStart, `[${id},${timer.everyMs}]`);
    }
    try {
      timer.run();
    } catch (error) {
      failed(error);
    }
  }
}

/** Describes a timer that has not fired, and forgets it; undefined for an unreferenced one. */
export function leftTimer(id: number): LeftWork | undefined {
  const timer = waiting.get(id);
  waiting.delete(id);
  if (!timer?.timer.hasRef()) return undefined;
  const { everyMs, delayMs, origin } = timer;
  return {
    kind: everyMs === undefined ? "timer" : "interval",
    detail: `${delayMs} ms`,
    stack: origin.error.stack ?? "",
  };
}

export const timerGlobals = {
  setTimeout: (callback: unknown, ms?: unknown, ...args: unknown[]) => start(callback, ms, false, args),
  setInterval: (callback: unknown, ms?: unknown, ...args: unknown[]) => start(callback, ms, true, args),
  setImmediate: (callback: unknown, ...args: unknown[]) => start(callback, undefined, false, args),
  clearTimeout: clear,
  clearInterval: clear,
  clearImmediate: clear,
};
