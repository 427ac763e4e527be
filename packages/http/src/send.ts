import type { ServerResponse } from "node:http";

/** Bytes that a client must read within `stallMs`. */
const sliceBytes = 64 * 1024;

/** Writes a body as fast as its client reads it. */
export interface Sender {
  /** Resolves with true when the bytes are written, with false when the connection is closed. */
  send(bytes: Uint8Array): Promise<boolean>;
  /** Ends the body, with these last bytes. */
  end(bytes?: Uint8Array | string): void;
}

/**
 * Destroys a connection that does not read within `stallMs`, even when it sends: a client that sends and never reads would
 * otherwise stay for ever. The time starts when earlier answers on the connection are sent.
 */
export function createSender(outgoing: ServerResponse, stallMs: number): Sender {
  let timer: NodeJS.Timeout | undefined;
  const rest = (): void => clearTimeout(timer);
  const watch = (): void => {
    clearTimeout(timer);
    const isFirst = outgoing.socket !== null;
    timer = setTimeout(() => (isFirst ? outgoing.destroy() : watch()), stallMs);
  };
  outgoing.once("close", rest);
  // Answers of adapters such as serverless-http have no connection that closes.
  outgoing.once("finish", rest);

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
