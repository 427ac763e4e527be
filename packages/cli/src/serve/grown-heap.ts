import { performance } from "node:perf_hooks";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** What is looked at, and done, every so often. */
export interface HeapParts {
  /** Bytes that the heap takes, and those that its objects hold outside of it. */
  held(): number;
  /** Of the time since the last look, the share in which the thread did something. */
  busyShare(): number;
  collect(): void;
}

const lookMs = 15_000;
const mostBusyShare = 0.5;
const leastGrownBytes = 32 * 1024 * 1024;

/**
 * Collects what has grown by a quarter and 32 MB since it was last collected, at a time when little is being done. V8 by itself
 * waits for more to be asked for: what a flood leaves would stay until the next one.
 */
export function createHeapWatch({ held, busyShare, collect }: HeapParts): { look(): void } {
  let least = held();
  return {
    look() {
      const busy = busyShare();
      const now = held();
      if (now < least) least = now;
      if (busy > mostBusyShare || now < least * 1.25 + leastGrownBytes) return;
      collect();
      least = held();
    },
  };
}

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
  const collect = runInNewContext("gc") as () => void;
  const held = (): number => {
    const { total_heap_size: heap, external_memory: outside } = getHeapStatistics();
    return heap + outside;
  };
  const { look } = createHeapWatch({ held, busyShare: createBusyShare(), collect });
  setInterval(look, lookMs).unref();
}
