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

// Accepts bodies without a trailer, as browsers do: many servers forget it.
const chunkSize = 64 * 1024;
const lenient = { chunkSize, finishFlush: constants.Z_SYNC_FLUSH };
/** At most 8 MiB: the window takes memory of the receiver. */
const smallWindow = { chunkSize, params: { [constants.ZSTD_d_windowLogMax]: 23 } };

/** Many servers send the raw format as `deflate`. A zlib header starts with method 8. */
const inflate = (first: number): Transform =>
  (first & 0x0f) === 8 ? createInflate(lenient) : createInflateRaw(lenient);

/** Decoders by coding, for a body that begins with the given byte. */
const decoders: ReadonlyMap<string, (first: number) => Transform> = new Map<string, (first: number) => Transform>([
  ["gzip", () => createGunzip(lenient)],
  ["x-gzip", () => createGunzip(lenient)],
  ["deflate", inflate],
  ["br", () => createBrotliDecompress({ chunkSize, finishFlush: constants.BROTLI_OPERATION_FLUSH })],
  ["zstd", () => createZstdDecompress(smallWindow)],
]);

const mostEncodings = 5;

/** Returns the codings to decode, last applied first; undefined when one is unknown, so that the body stays encoded. */
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

/** Decodes chunks only as they are read. Frees the decoder's memory when the reader stops. */
export async function* decoded(chunks: Chunks, coding: string): AsyncGenerator<Uint8Array, void> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  const decoder = first.done === true ? undefined : decoders.get(coding)?.(first.value[0] ?? 0);
  // An empty body stays empty.
  if (first.done === true || !decoder) return;
  // The reader of the decoder gets its errors.
  pipeline(after(first.value, iterator), decoder).catch(() => undefined);
  try {
    yield* decoder as Chunks;
  } finally {
    decoder.destroy();
  }
}
