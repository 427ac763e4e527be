import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Uncollected native memory that triggers a collection, in bytes. */
const collectAtBytes = 24 * 1024 * 1024;

/**
 * Unreferenced native memory behind small objects of the heap. The garbage collector does not see its size, so it is
 * counted here, and collected when there is too much.
 */
export interface NativeGarbage {
  /** Counts memory that is unreferenced from the next turn of the event loop on. */
  dropped(bytes: number): void;
  /** Counts unreferenced memory. Collects immediately: guest code can delay the next turn of the event loop. */
  left(bytes: number): void;
}

/** `collect` runs a garbage collection synchronously. */
export function createNativeGarbage(collect: () => void): NativeGarbage {
  let waiting = 0;
  const count = (bytes: number, then: () => void): void => {
    waiting += bytes;
    if (waiting < collectAtBytes) return;
    waiting = 0;
    then();
  };
  return {
    dropped: (bytes) => count(bytes, () => void setImmediate(collect)),
    left: (bytes) => count(bytes, collect),
  };
}

let collector: (() => void) | undefined;

/** Collects the garbage of this thread. */
export function collectGarbage(): void {
  if (!collector) {
    setFlagsFromString("--expose-gc");
    collector = runInNewContext("gc") as () => void;
  }
  collector();
}

/** One per thread, like the collector. */
const ofThread = createNativeGarbage(collectGarbage);

/** Counts the bytes of a dropped machine; its memory is released soon. */
export const countDroppedMachine: (bytes: number) => void = ofThread.dropped;

/** Counts native memory that a host function leaves unreferenced, in bytes. */
export const countNativeGarbage: (bytes: number) => void = ofThread.left;
