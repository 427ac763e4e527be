import { promisify } from "node:util";
import { brotliDecompress, constants, gunzip, inflate, inflateRaw, zstdDecompress } from "node:zlib";

const gunzipBytes = promisify(gunzip);
const inflateBytes = promisify(inflate);
const inflateRawBytes = promisify(inflateRaw);
const brotliBytes = promisify(brotliDecompress);
const zstdBytes = promisify(zstdDecompress);

type Decoder = (bytes: Uint8Array, maxOutputLength: number) => Promise<Uint8Array>;

// A flush at the end instead of a finish: servers that forget the trailer are common, and browsers read them.
const lenient = { finishFlush: constants.Z_SYNC_FLUSH };

const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ["gzip", (bytes, maxOutputLength) => gunzipBytes(bytes, { ...lenient, maxOutputLength })],
  ["x-gzip", (bytes, maxOutputLength) => gunzipBytes(bytes, { ...lenient, maxOutputLength })],
  [
    "deflate",
    (bytes, maxOutputLength) =>
      // Half of the servers mean the bare format; the zlib header starts with method 8.
      ((bytes[0] ?? 0) & 0x0f) === 8
        ? inflateBytes(bytes, { ...lenient, maxOutputLength })
        : inflateRawBytes(bytes, { ...lenient, maxOutputLength }),
  ],
  [
    "br",
    (bytes, maxOutputLength) => brotliBytes(bytes, { finishFlush: constants.BROTLI_OPERATION_FLUSH, maxOutputLength }),
  ],
  ["zstd", (bytes, maxOutputLength) => zstdBytes(bytes, { maxOutputLength })],
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

/** Undoes codings one after the other; no step may give more than `limit` bytes. Rejects with the engine's error. */
export async function decode(bytes: Uint8Array, codings: readonly string[], limit: number): Promise<Uint8Array> {
  let decoded = bytes;
  for (const coding of codings) {
    const decoder = decoders.get(coding);
    if (decoder && decoded.length > 0) decoded = await decoder(decoded, limit);
  }
  return decoded;
}
