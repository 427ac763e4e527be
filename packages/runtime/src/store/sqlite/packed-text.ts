import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";

/** A text that another is described by: how it differs. */
export interface BaseText {
  readonly hash: string;
  readonly bytes: Uint8Array;
}

/** First byte of what is stored: how the rest is to be read. */
const wide = 1;
const differs = 2;
const hashBytes = 32;

/** Of the bytes of a text: UTF-8, which has no halves of pairs. */
export function bytesOf(text: string): { readonly bytes: Buffer; readonly isWide: boolean } {
  const isWide = !text.isWellFormed();
  return { bytes: Buffer.from(text, isWide ? "utf16le" : "utf8"), isWide };
}

/** The window must reach from the end of the text to the beginning of its base. */
const windowLog = (bytes: number): number => Math.min(27, Math.max(10, Math.ceil(Math.log2(bytes + 1))));

/** Packs a text; with a base, only how it differs from that. */
export function packText(text: string, base?: BaseText): Uint8Array {
  const { bytes, isWide } = bytesOf(text);
  const form = (isWide ? wide : 0) | (base ? differs : 0);
  if (!base) return Buffer.concat([Buffer.of(form), zstdCompressSync(bytes)]);
  const packed = zstdCompressSync(bytes, {
    dictionary: base.bytes,
    params: { [constants.ZSTD_c_windowLog]: windowLog(bytes.length + base.bytes.length) },
  });
  return Buffer.concat([Buffer.of(form), Buffer.from(base.hash, "hex"), packed]);
}

/** The bytes of a packed text, and whether they are UTF-16. `findBase` gives what is stored under a hash. */
function unpackBytes(packed: Uint8Array, findBase: (hash: string) => Uint8Array): { bytes: Buffer; isWide: boolean } {
  const [form = 0] = packed;
  const isWide = (form & wide) !== 0;
  if ((form & differs) === 0) return { bytes: zstdDecompressSync(packed.subarray(1)), isWide };
  const hash = Buffer.from(packed.subarray(1, 1 + hashBytes)).toString("hex");
  const { bytes: dictionary } = unpackBytes(findBase(hash), findBase);
  return { bytes: zstdDecompressSync(packed.subarray(1 + hashBytes), { dictionary }), isWide };
}

export function unpackText(packed: Uint8Array, findBase: (hash: string) => Uint8Array): string {
  const { bytes, isWide } = unpackBytes(packed, findBase);
  return bytes.toString(isWide ? "utf16le" : "utf8");
}
