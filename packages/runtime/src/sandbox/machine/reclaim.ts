import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Memory that may wait for the collector. */
const mostWaiting = 24 * 1024 * 1024;

/**
 * Memory outside of the collector's heap, behind objects that are small to it, so that it is in no hurry. What waits is
 * counted, and collected when it is too much.
 */
export interface WaitingMemory {
  /** Nothing refers to it from the next turn on. */
  dropped(bytes: number): void;
  /** Nothing refers to it any more. Collected at once: guest code may never let this thread come to its next turn. */
  left(bytes: number): void;
}

/** `collect` collects at once. */
export function createWaitingMemory(collect: () => void): WaitingMemory {
  let waiting = 0;
  const count = (bytes: number, then: () => void): void => {
    waiting += bytes;
    if (waiting < mostWaiting) return;
    waiting = 0;
    then();
  };
  return {
    dropped: (bytes) => count(bytes, () => void setImmediate(collect)),
    left: (bytes) => count(bytes, collect),
  };
}

let collector: (() => void) | undefined;
function collectNow(): void {
  if (!collector) {
    setFlagsFromString("--expose-gc");
    collector = runInNewContext("gc") as () => void;
  }
  collector();
}

/** One for the thread, as its collector is. */
const waitingHere = createWaitingMemory(collectNow);

/** Told the size of each machine that is dropped, whose memory is given back soon. */
export const dropMachine: (bytes: number) => void = waitingHere.dropped;

/** Told by host functions what they leave behind of the libraries that Node is made of. */
export const leaveNative: (bytes: number) => void = waitingHere.left;
