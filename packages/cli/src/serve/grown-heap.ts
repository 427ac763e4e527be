import { performance } from "node:perf_hooks";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** The measurements of a heap watch, and its action. */
export interface HeapParts {
  /** Bytes of the heap, and of the memory that its objects hold outside of it. */
  held(): number;
  /** Share of the time since the last check in which the thread was busy, from 0 to 1. */
  busyShare(): number;
  collect(): void;
}

const checkMs = 15_000;
const maxBusyShare = 0.5;
const minGrownBytes = 32 * 1024 * 1024;

/**
 * Collects garbage when the heap has grown by a quarter and 32 MB since the last collection, and the thread is idle. V8 alone
 * collects only when more memory is allocated: the garbage of a flood would stay until the next one.
 */
export function createHeapWatch({ held, busyShare, collect }: HeapParts): { check(): void } {
  let smallest = held();
  return {
    check() {
      const busy = busyShare();
      const now = held();
      if (now < smallest) smallest = now;
      if (busy > maxBusyShare || now < smallest * 1.25 + minGrownBytes) return;
      collect();
      smallest = held();
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

/** Watches the heap of this thread until the process ends. */
export function watchHeap(): void {
  setFlagsFromString("--expose-gc");
  // Contexts that are created after the flag was set have the global function `gc`.
  const collect = runInNewContext("gc") as () => void;
  const held = (): number => {
    const { total_heap_size: heap, external_memory: outside } = getHeapStatistics();
    return heap + outside;
  };
  const { check } = createHeapWatch({ held, busyShare: createBusyShare(), collect });
  setInterval(check, checkMs).unref();
}
