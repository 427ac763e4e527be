import type { IncomingMessage } from "node:http";

export interface DrainLimits {
  readonly bytes: number;
  readonly ms: number;
}

/** How much of a refused request is received: a client that sends everything before it reads then still gets its answer. */
const drainLimits: DrainLimits = { bytes: 64 * 1024 * 1024, ms: 10_000 };
/** A chunk counts as this many bytes at least, for its work. */
const minChunkBytes = 1024;

/**
 * Receives and drops the rest of a refused request: closing the connection earlier would lose the answer of a client that is
 * still sending. Resolves with false when the rest exceeds the limits.
 */
export function passUnread(incoming: IncomingMessage, limits: DrainLimits = drainLimits): Promise<boolean> {
  if (incoming.complete || incoming.destroyed) return Promise.resolve(true);
  return new Promise((resolve) => {
    let bytes = 0;
    const finish = (isWhole: boolean): void => {
      clearTimeout(timer);
      incoming.off("data", count);
      incoming.off("end", ended);
      incoming.off("close", ended);
      resolve(isWhole);
    };
    const ended = (): void => finish(true);
    const count = (chunk: Buffer): void => {
      bytes += Math.max(chunk.byteLength, minChunkBytes);
      if (bytes > limits.bytes) finish(false);
    };
    const timer = setTimeout(() => finish(false), limits.ms);
    // An earlier reader keeps the stream.
    incoming.removeAllListeners("data");
    incoming.removeAllListeners("readable");
    incoming.on("data", count).once("end", ended).once("close", ended);
    incoming.resume();
  });
}
