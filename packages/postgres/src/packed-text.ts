import zlib from "node:zlib";

/** The first byte: UTF-8, or UTF-16 for a text with lone surrogates, which UTF-8 cannot represent. */
const forms = { utf8: 0, utf16: 1 } as const;

/** Compresses a text of a component. */
export function packText(text: string): Uint8Array {
  const form = text.isWellFormed() ? "utf8" : "utf16";
  return Buffer.concat([
    Buffer.of(forms[form]),
    zlib.zstdCompressSync(Buffer.from(text, form === "utf8" ? "utf8" : "utf16le")),
  ]);
}

export function unpackText(packed: Uint8Array): string {
  const bytes = zlib.zstdDecompressSync(packed.subarray(1));
  return bytes.toString(packed[0] === forms.utf16 ? "utf16le" : "utf8");
}
