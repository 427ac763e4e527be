import type { HoldBytes } from "@x/sandbox";
import { type CutShort, decoded } from "./decode.ts";
import { abortableWaits, type AbortableWaits, CutOff } from "./sent.ts";

export interface BodyRules {
  /** Codings to decode, last applied first. */
  readonly codings: readonly string[];
  /** Default: accepted. */
  readonly cutShort?: CutShort;
  /** Most bytes, as received and after each decoding. */
  readonly limit: number;
  readonly hold: HoldBytes;
  /** Ends the read at once. */
  readonly signal: AbortSignal;
}

/** The body exceeds the limit. */
class TooLarge extends Error {}

/** Passes chunks on and throws `TooLarge` beyond the limit. */
async function* limited(chunks: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array, void> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > limit) throw new TooLarge();
    yield chunk;
  }
}

/** Joins chunks in new memory, which can be transferred to another thread. */
function join(chunks: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.length;
  }
  return joined;
}

/**
 * Reads and decodes a body chunk by chunk, and waits while `hold` has no room. Undefined for a body beyond the limit.
 * Rejects with `CutOff` when the connection breaks, and with the decoder's error for an invalid body.
 */
export async function readBody(
  chunks: AsyncIterable<Uint8Array>,
  { codings, cutShort = "accepted", limit, hold, signal }: BodyRules,
): Promise<Uint8Array | undefined> {
  const read: Uint8Array[] = [];
  let broken: { readonly cause: unknown } | undefined;
  let waits: AbortableWaits | undefined;
  async function* arriving(): AsyncGenerator<Uint8Array, void> {
    try {
      yield* limited(chunks, limit);
    } catch (error) {
      if (!(error instanceof TooLarge)) broken = { cause: error };
      throw error;
    }
  }
  let body: AsyncIterable<Uint8Array> = arriving();
  for (const coding of codings) body = limited(decoded(body, coding, cutShort), limit);
  try {
    for await (const chunk of body) {
      const wait = hold(chunk.length);
      if (wait) await (waits ??= abortableWaits(signal)).orAborted(wait);
      signal.throwIfAborted();
      read.push(chunk);
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof TooLarge) return undefined;
    throw broken ? new CutOff(join(read), broken.cause) : error;
  } finally {
    waits?.end();
  }
  return join(read);
}
