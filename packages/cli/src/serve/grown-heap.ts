import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** The measurements of a heap watch, and its action. */
export interface HeapParts {
  /** Bytes of memory. */
  held(): number;
  /** Share of the time since the last check in which the thread was busy, from 0 to 1. */
  busyShare(): number;
  collect(): void;
}

const checkMs = 15_000;
/** A collection stops the thread for up to a tenth of a second: a busy one would keep many requests waiting. */
const maxBusyShare = 0.3;
const minGrownBytes = 32 * 1024 * 1024;
/** A thread is calmer when it is busy for this part of the former share. */
const calmerPart = 0.75;
/** Smaller shares make no difference. */
const idleShare = 0.05;
/** Checks from a collection to the next one; twice as many after each that has no new reason. */
const firstPause = 2;
const longestPause = 32;

const isGrown = (bytes: number, from: number): boolean => bytes >= from * 1.25 + minGrownBytes;

/**
 * Collects garbage while the process has a quarter and 32 MB more than it ever had at least, and the thread is idle: at once
 * when it has grown or become calmer since the last collection, else less and less often. V8 alone collects only when more
 * memory is allocated: the garbage of a flood would stay until the next one.
 */
export function createHeapWatch({ held, busyShare, collect }: HeapParts): { check(): void } {
  let smallest = held();
  /** Of the last collection. */
  let left = smallest;
  let busyThen = 1;
  let pause = firstPause;
  let checks = 0;
  return {
    check() {
      const busy = Math.max(busyShare(), idleShare);
      const now = held();
      smallest = Math.min(smallest, now);
      left = Math.min(left, now);
      if (busy > maxBusyShare || !isGrown(now, smallest)) return;
      checks += 1;
      const hasReason = isGrown(now, left) || busy < busyThen * calmerPart;
      if (!hasReason && checks < pause) return;
      collect();
      left = held();
      busyThen = busy;
      pause = hasReason ? firstPause : Math.min(pause * 2, longestPause);
      checks = 0;
    },
  };
}

/** Returns a function for `HeapParts.busyShare`. */
function createBusyShare(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}

/** Options of V8's `gc` that the process does not declare. */
type Collector = (options: { type: "major"; execution: "sync"; flavor: "last-resort" }) => void;

/**
 * Watches the memory of this process until it ends. An ordinary collection keeps the pages that it frees, of all threads, for
 * later; only one of the last resort returns them to the system. So the resident size is watched, not the heap.
 */
export function watchHeap(): void {
  setFlagsFromString("--expose-gc");
  // Contexts that are created after the flag was set have the global function `gc`.
  const gc = runInNewContext("gc") as Collector;
  const collect = (): void => gc({ type: "major", execution: "sync", flavor: "last-resort" });
  const held = (): number => process.memoryUsage.rss();
  const { check } = createHeapWatch({ held, busyShare: createBusyShare(), collect });
  setInterval(check, checkMs).unref();
}
