import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Memory of dropped machines that may wait for the collector. */
const waitingBytes = 24 * 1024 * 1024;

/**
 * Gives the memory of dropped machines back soon. To the collector a machine is a small object, so it is in no hurry,
 * while the memory behind it is large. Returns what to call with the size of each machine that is dropped.
 */
export function createReclaimer(): (bytes: number) => void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  let waiting = 0;
  return (bytes) => {
    waiting += bytes;
    if (waiting < waitingBytes) return;
    waiting = 0;
    // After this turn, when nothing refers to the machine any more.
    setImmediate(collect);
  };
}
