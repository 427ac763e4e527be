import type { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import zlib from "node:zlib";

/** What becomes of a body without its end. Browsers accept it from servers, of which many forget the trailer. */
export type CutShort = "accepted" | "refused";

const chunkSize = 64 * 1024;
const optionsFor = (cutShort: CutShort, flush: number): { chunkSize: number; finishFlush?: number } =>
  cutShort === "accepted" ? { chunkSize, finishFlush: flush } : { chunkSize };
const zlibOptions = (cutShort: CutShort) => optionsFor(cutShort, zlib.constants.Z_SYNC_FLUSH);
/** At most 8 MiB: the window takes memory of the receiver. */
const smallWindow = { chunkSize, params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 } };

/** Makes the decoder of a body that begins with a byte. */
type MakeDecoder = (first: number, cutShort: CutShort) => Transform;

/** Many senders use the raw format as `deflate`. A zlib header starts with method 8. */
const inflate: MakeDecoder = (first, cutShort) =>
  (first & 0x0f) === 8 ? zlib.createInflate(zlibOptions(cutShort)) : zlib.createInflateRaw(zlibOptions(cutShort));
const gunzip: MakeDecoder = (_, cutShort) => zlib.createGunzip(zlibOptions(cutShort));

const decoders: ReadonlyMap<string, MakeDecoder> = new Map<string, MakeDecoder>([
  ["gzip", gunzip],
  ["x-gzip", gunzip],
  ["deflate", inflate],
  ["br", (_, cutShort) => zlib.createBrotliDecompress(optionsFor(cutShort, zlib.constants.BROTLI_OPERATION_FLUSH))],
  ["zstd", () => zlib.createZstdDecompress(smallWindow)],
]);

const maxEncodings = 5;

/** Returns the codings to decode, last applied first; undefined when one is unknown, so that the body stays encoded. */
export function findCodings(contentEncoding: string): string[] | undefined {
  const codings = contentEncoding
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
  return codings.length <= maxEncodings && codings.every((coding) => decoders.has(coding))
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
export async function* decoded(chunks: Chunks, coding: string, cutShort: CutShort): AsyncGenerator<Uint8Array, void> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  const decoder = first.done === true ? undefined : decoders.get(coding)?.(first.value[0] ?? 0, cutShort);
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
