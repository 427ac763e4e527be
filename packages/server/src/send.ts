import type { ServerResponse } from "node:http";

/** How much a client must take within the time that it has. */
const sliceBytes = 64 * 1024;

/** Writes a body as fast as its client takes it. */
export interface Sender {
  /** Resolves when the connection has taken the bytes; with false when it is closed. */
  send(bytes: Uint8Array): Promise<boolean>;
  /** The body is complete, with these bytes. */
  end(bytes?: Uint8Array | string): void;
}

/**
 * A connection that does not take what is written to it within `stallMs` is destroyed. What it sends meanwhile does not
 * count: a client that sends and never reads would live for ever. An answer that is behind another one on its connection
 * waits for its turn.
 */
export function createSender(outgoing: ServerResponse, stallMs: number): Sender {
  let timer: NodeJS.Timeout | undefined;
  const rest = (): void => clearTimeout(timer);
  const watch = (): void => {
    clearTimeout(timer);
    const hasItsTurn = outgoing.socket !== null;
    timer = setTimeout(() => (hasItsTurn ? outgoing.destroy() : watch()), stallMs);
  };
  outgoing.once("close", rest);

  const sendSlice = (slice: Uint8Array): Promise<boolean> =>
    new Promise((resolve) => {
      const gone = (): void => resolve(false);
      if (outgoing.destroyed) return gone();
      outgoing.once("close", gone);
      watch();
      outgoing.write(slice, (error) => {
        outgoing.off("close", gone);
        rest();
        resolve(!error);
      });
    });

  return {
    async send(bytes) {
      for (let start = 0; start < bytes.byteLength; start += sliceBytes)
        if (!(await sendSlice(bytes.subarray(start, start + sliceBytes)))) return false;
      return true;
    },
    end(bytes) {
      if (outgoing.destroyed) return;
      watch();
      outgoing.end(bytes);
    },
  };
}
