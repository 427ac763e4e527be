import type { DatabaseSync } from "node:sqlite";
import zlib from "node:zlib";

import { LRUCache } from "lru-cache";

import { resemblanceOf } from "./resemblance.ts";

/** A text that other texts are compressed against. */
interface BaseText {
  readonly hash: string;
  readonly bytes: Uint8Array;
}

/** Flags in the first byte, which say how to read the rest. */
const isUtf16 = 1;
const hasBase = 2;
const hashBytes = 32;

/** The bytes of a text: UTF-8, or UTF-16 for a text with lone surrogates, which UTF-8 cannot represent. */
function bytesOf(text: string): { readonly bytes: Buffer; readonly isWide: boolean } {
  const isWide = !text.isWellFormed();
  return { bytes: Buffer.from(text, isWide ? "utf16le" : "utf8"), isWide };
}

/** The window must reach from the end of the text to the start of its base. */
const windowLog = (bytes: number): number => Math.min(27, Math.max(10, Math.ceil(Math.log2(bytes + 1))));

/** Compresses a text, or its difference to a base. */
function packText(text: string, base?: BaseText): Uint8Array {
  const { bytes, isWide } = bytesOf(text);
  const form = (isWide ? isUtf16 : 0) | (base ? hasBase : 0);
  if (!base) return Buffer.concat([Buffer.of(form), zlib.zstdCompressSync(bytes)]);
  const packed = zlib.zstdCompressSync(bytes, {
    dictionary: base.bytes,
    params: { [zlib.constants.ZSTD_c_windowLog]: windowLog(bytes.length + base.bytes.length) },
  });
  return Buffer.concat([Buffer.of(form), Buffer.from(base.hash, "hex"), packed]);
}

/** Decompresses a text. `findBase` returns the packed text of a hash. */
function unpackBytes(packed: Uint8Array, findBase: (hash: string) => Uint8Array): { bytes: Buffer; isWide: boolean } {
  const [form = 0] = packed;
  const isWide = (form & isUtf16) !== 0;
  if ((form & hasBase) === 0) return { bytes: zlib.zstdDecompressSync(packed.subarray(1)), isWide };
  const hash = Buffer.from(packed.subarray(1, 1 + hashBytes)).toString("hex");
  const { bytes: dictionary } = unpackBytes(findBase(hash), findBase);
  return { bytes: zlib.zstdDecompressSync(packed.subarray(1 + hashBytes), { dictionary }), isWide };
}

export function unpackText(packed: Uint8Array, findBase: (hash: string) => Uint8Array): string {
  const { bytes, isWide } = unpackBytes(packed, findBase);
  return bytes.toString(isWide ? "utf16le" : "utf8");
}

/** The row of a text. A text with a base has no family, because it cannot be a base itself. */
type TextRow = readonly [hash: string, family: string | null, data: Uint8Array];

/** Compresses texts for the table of an open database. */
export interface TextPacker {
  /** `family`: null when only the text itself tells which others it resembles. Undefined when the table has the text. */
  pack(hash: string, family: string | null, text: string): TextRow | undefined;
}

const cacheBytes = 32 * 1024 * 1024;
/** A result this many times shorter than the text is taken without a comparison to the result without a base. */
const goodRatio = 8;

export function createTextPacker(database: DatabaseSync): TextPacker {
  const findHash = database.prepare("SELECT 1 FROM text WHERE hash = ?");
  const newest = database.prepare("SELECT hash, data FROM text WHERE family = ? ORDER BY rowid DESC LIMIT 1");
  const bases = new LRUCache<string, BaseText>({
    maxSize: cacheBytes,
    sizeCalculation: ({ bytes }) => bytes.length + 1,
  });
  const noBase = (hash: string): never => {
    throw new Error(`text ${hash} cannot be a base`);
  };

  function baseOf(family: string): BaseText | undefined {
    const row = newest.get(family) as { hash: string; data: Uint8Array } | undefined;
    if (!row) return undefined;
    const known = bases.get(row.hash);
    if (known) return known;
    const base = { hash: row.hash, bytes: bytesOf(unpackText(row.data, noBase)).bytes };
    bases.set(row.hash, base);
    return base;
  }

  return {
    pack(hash, known, text) {
      if (findHash.get(hash)) return undefined;
      const family = known ?? resemblanceOf(bytesOf(text).bytes);
      const base = family === null ? undefined : baseOf(family);
      const short = base && packText(text, base);
      if (short && short.length * goodRatio < text.length) return [hash, null, short];
      const plain = packText(text);
      return short && short.length * 2 < plain.length ? [hash, null, short] : [hash, family, plain];
    },
  };
}
