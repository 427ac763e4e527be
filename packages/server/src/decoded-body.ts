import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, inflateRaw, zstdDecompress } from "node:zlib";

import { XError } from "@x/runtime";

interface Bounds {
  readonly maxOutputLength: number;
}

type Decoder = (bytes: Uint8Array, bounds: Bounds) => Promise<Uint8Array>;

const [inflateZlib, inflateBare] = [promisify(inflate), promisify(inflateRaw)];
const decodeGzip: Decoder = promisify(gunzip);
/** Most senders mean the format of zlib, some the bare stream. */
const decodeDeflate: Decoder = (bytes, bounds) =>
  ((bytes[0] ?? 0) & 0x0f) === 8 ? inflateZlib(bytes, bounds) : inflateBare(bytes, bounds);

const decoders: { readonly [coding: string]: Decoder } = {
  gzip: decodeGzip,
  "x-gzip": decodeGzip,
  deflate: decodeDeflate,
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
};

/** Each coding of the same body multiplies what few bytes can become. */
const mostCodings = 2;

/** The codings of a Content-Encoding header, the last applied first. Throws `unsupported_media_type` for an unknown one. */
export function readCodings(header: string | null): readonly string[] {
  if (header === null) return [];
  const codings = header
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (codings.length > mostCodings || !codings.every((coding) => Object.hasOwn(decoders, coding)))
    throw new XError("unsupported_media_type", [
      `Content-Encoding gzip, deflate, br or zstd`,
      JSON.stringify(header.slice(0, 60)),
    ]);
  return codings.toReversed();
}

const isTooLong = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";

/**
 * Decodes a body in other threads. Returns undefined when it has more than `limit` bytes after a coding. Throws
 * `malformed_request` for a body that its coding cannot be.
 */
export async function decodeBody(
  body: Uint8Array,
  codings: readonly string[],
  limit: number,
): Promise<Uint8Array | undefined> {
  let decoded = body;
  for (const coding of codings) {
    try {
      decoded = (await decoders[coding]?.(decoded, { maxOutputLength: limit })) ?? decoded;
    } catch (error) {
      if (isTooLong(error)) return undefined;
      throw new XError("malformed_request", [`its body is not ${coding}, as its Content-Encoding says`], {
        cause: error,
      });
    }
  }
  return decoded;
}
