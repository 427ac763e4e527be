import type { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";

// A flush at the end instead of a finish: servers that forget the trailer are common, and browsers read them.
const chunkSize = 64 * 1024;
const lenient = { chunkSize, finishFlush: constants.Z_SYNC_FLUSH };
/** Windows of more than 8 MiB are for archives: their memory is the receiver's. */
const smallWindow = { chunkSize, params: { [constants.ZSTD_d_windowLogMax]: 23 } };

/** Half of the servers mean the bare format; the zlib header starts with method 8. */
const inflate = (first: number): Transform =>
  (first & 0x0f) === 8 ? createInflate(lenient) : createInflateRaw(lenient);

/** Makes a decoder for a body that begins with this byte. */
const decoders: ReadonlyMap<string, (first: number) => Transform> = new Map<string, (first: number) => Transform>([
  ["gzip", () => createGunzip(lenient)],
  ["x-gzip", () => createGunzip(lenient)],
  ["deflate", inflate],
  ["br", () => createBrotliDecompress({ chunkSize, finishFlush: constants.BROTLI_OPERATION_FLUSH })],
  ["zstd", () => createZstdDecompress(smallWindow)],
]);

const mostEncodings = 5;

/** The codings to undo, last applied first; undefined when one is unknown and the body stays as it is. */
export function findCodings(contentEncoding: string): string[] | undefined {
  const codings = contentEncoding
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
  return codings.length <= mostEncodings && codings.every((coding) => decoders.has(coding))
    ? codings.toReversed()
    : undefined;
}

type Chunks = AsyncIterable<Uint8Array>;

async function* after(first: Uint8Array, others: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  try {
    yield first;
    for (let next = await others.next(); next.done !== true; next = await others.next()) yield next.value;
  } finally {
    await others.return?.();
  }
}

/** Undoes one coding as it is read, and no sooner; the decoder's memory is given back when nobody reads on. */
export async function* decoded(chunks: Chunks, coding: string): AsyncGenerator<Uint8Array, void> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  const decoder = first.done === true ? undefined : decoders.get(coding)?.(first.value[0] ?? 0);
  // A body of no bytes is what it is.
  if (first.done === true || !decoder) return;
  // Its errors are those of the decoder.
  pipeline(after(first.value, iterator), decoder).catch(() => undefined);
  try {
    yield* decoder as Chunks;
  } finally {
    decoder.destroy();
  }
}
