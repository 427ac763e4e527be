import { askZlib } from "x:host";

import { wrongType } from "../node-error.ts";
import { bufferOf, encodeText, viewOf } from "../crypto/bytes.ts";

/** The operations of zlib, by the host's names. */
export const formats = [
  "gzip",
  "gunzip",
  "deflate",
  "inflate",
  "deflateRaw",
  "inflateRaw",
  "unzip",
  "brotliCompress",
  "brotliDecompress",
  "zstdCompress",
  "zstdDecompress",
] as const;
export type Format = (typeof formats)[number];

/** The name of a format's class, such as `Gunzip` for `gunzip`. */
export const classOf = (format: Format): string => (format[0] ?? "").toUpperCase() + format.slice(1);

export interface ZlibOptions {
  readonly chunkSize?: number;
  readonly flush?: number;
  readonly finishFlush?: number;
  readonly windowBits?: number;
  readonly level?: number;
  readonly memLevel?: number;
  readonly strategy?: number;
  readonly dictionary?: unknown;
  readonly info?: boolean;
  readonly maxOutputLength?: number;
  readonly params?: Readonly<Record<string, number>>;
}

const inputs = {
  buffer: "of type string or an instance of Buffer, TypedArray, DataView, or ArrayBuffer",
  chunk: "of type string or an instance of Buffer, TypedArray, or DataView",
};

export function inputBytes(value: unknown, name: keyof typeof inputs = "buffer"): Uint8Array {
  const bytes = typeof value === "string" ? encodeText(value, "utf8") : viewOf(value);
  if (!bytes) throw wrongType(name, inputs[name], value);
  return bytes;
}

/** Options and dictionary for the host. */
function hostArguments(options: ZlibOptions = {}): [object, Uint8Array] {
  const { chunkSize, flush, finishFlush, windowBits, level, memLevel, strategy, maxOutputLength, params } = options;
  const given = { chunkSize, flush, finishFlush, windowBits, level, memLevel, strategy, maxOutputLength, params };
  const { dictionary } = options;
  const bytes = dictionary === undefined ? new Uint8Array(0) : viewOf(dictionary);
  if (!bytes)
    throw wrongType("options.dictionary", "an instance of Buffer, TypedArray, DataView, or ArrayBuffer", dictionary);
  return [{ options: given, hasDictionary: dictionary !== undefined }, bytes];
}

/** Throws the class's error for invalid options. */
export function checkOptions(format: Format, options?: ZlibOptions): void {
  const [given, dictionary] = hostArguments(options);
  askZlib("checkOptions", { ...given, format }, [dictionary]);
}

/** Converts complete data. */
export function convert(format: Format, data: Uint8Array, options?: ZlibOptions): Buffer {
  const [given, dictionary] = hostArguments(options);
  return bufferOf(askZlib(format, given, [data, dictionary]) as Uint8Array);
}
