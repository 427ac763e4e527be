import type { IncomingMessage } from "node:http";

export interface DrainLimits {
  readonly bytes: number;
  readonly ms: number;
}

/** A client that writes all of its request before it reads gets its answer when the request is not much longer than may be. */
const drainLimits: DrainLimits = { bytes: 64 * 1024 * 1024, ms: 10_000 };

/**
 * Lets the rest of a request go by that nobody wants: closing the connection before would take the answer away from a client
 * that still writes. Resolves with false when there is more than is waited for.
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
      bytes += chunk.byteLength;
      if (bytes > limits.bytes) finish(false);
    };
    const timer = setTimeout(() => finish(false), limits.ms);
    // Whoever read the first part would keep the rest.
    incoming.removeAllListeners("data");
    incoming.removeAllListeners("readable");
    incoming.on("data", count).once("end", ended).once("close", ended);
    incoming.resume();
  });
}
