import { performance } from "node:perf_hooks";

/**
 * Busy threads and the watchdog read the clock every few milliseconds. When nothing has read it for so long, the process
 * was stopped (SIGSTOP, a paused container), or its main thread was held.
 */
const longestGapMs = 1_000;

/** In ms: when any thread read the clock last, and the time that does not count. */
let memory = new SharedArrayBuffer(24);
let times = new Float64Array(memory, 0, 2);
let lock = new Int32Array(memory, 16, 1);
times[0] = performance.timeOrigin + performance.now();

/** The clock's memory, for other threads. */
export const sharedClockMemory = (): SharedArrayBuffer => memory;

/** Makes this thread read the clock of the thread that started it. */
export function joinSharedClock(given: SharedArrayBuffer): void {
  memory = given;
  times = new Float64Array(memory, 0, 2);
  lock = new Int32Array(memory, 16, 1);
}

/** Takes a gap out of the clock. Several threads may find the same one. */
function takeGap(now: number): void {
  while (Atomics.compareExchange(lock, 0, 0, 1) !== 0);
  const gap = now - (times[0] ?? now);
  if (gap > longestGapMs) times[1] = (times[1] ?? 0) + gap;
  if (gap > 0) times[0] = now;
  Atomics.store(lock, 0, 0);
}

/** Monotonic milliseconds, the same in all threads of a process. Time in which the process was stopped does not count. */
export function sharedNow(): number {
  const now = performance.timeOrigin + performance.now();
  const gap = now - (times[0] ?? now);
  if (gap > longestGapMs) takeGap(now);
  else if (gap > 0) times[0] = now;
  return now - (times[1] ?? 0);
}
