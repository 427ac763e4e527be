import type { HoldBytes } from "../sandbox/contract.ts";
import { decoded } from "./decode.ts";
import { CutOff } from "./sent.ts";

export interface BodyRules {
  /** To undo, last applied first. */
  readonly codings: readonly string[];
  /** Most bytes, as they come and after each coding. */
  readonly limit: number;
  readonly hold: HoldBytes;
  /** Ends it at once. */
  readonly signal: AbortSignal;
}

/** There are more bytes than are wanted. */
class TooLarge extends Error {}

/** The same chunks, counted. */
async function* limited(chunks: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array, void> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > limit) throw new TooLarge();
    yield chunk;
  }
}

/** In memory of its own, so that it can be handed over. */
function join(chunks: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.length;
  }
  return joined;
}

/** The wait for room, or the end. */
function orAborted(wait: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const abort = (): void => reject(signal.reason as Error);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  void wait.then(resolve);
  return promise.finally(() => signal.removeEventListener("abort", abort));
}

/**
 * Reads a body and undoes its codings as it comes: no more is read and decoded than there is room for. Undefined when
 * it is larger than allowed. Rejects with `CutOff` when the connection breaks, else with what the decoder says.
 */
export async function readBody(
  chunks: AsyncIterable<Uint8Array>,
  { codings, limit, hold, signal }: BodyRules,
): Promise<Uint8Array | undefined> {
  const read: Uint8Array[] = [];
  let broken: { readonly cause: unknown } | undefined;
  async function* arriving(): AsyncGenerator<Uint8Array, void> {
    try {
      yield* limited(chunks, limit);
    } catch (error) {
      if (!(error instanceof TooLarge)) broken = { cause: error };
      throw error;
    }
  }
  let body: AsyncIterable<Uint8Array> = arriving();
  for (const coding of codings) body = limited(decoded(body, coding), limit);
  try {
    for await (const chunk of body) {
      const wait = hold(chunk.length);
      if (wait) await orAborted(wait, signal);
      signal.throwIfAborted();
      read.push(chunk);
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof TooLarge) return undefined;
    throw broken ? new CutOff(join(read), broken.cause) : error;
  }
  return join(read);
}
