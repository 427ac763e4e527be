import type { TransformCallback, TransformOptions } from "node:stream";
import { askZlib } from "x:host";

import { bufferOf, encodeText, GrowingBytes, viewOf } from "./crypto/bytes.ts";
import { lazyStream } from "./lazy-stream.ts";
import { wrongType } from "./node-error.ts";
import { unavailable } from "./unavailable.ts";

/** The operations of zlib, by the host's names. */
// oxfmt-ignore
export const formats = [
  "gzip", "gunzip", "deflate", "inflate", "deflateRaw", "inflateRaw", "unzip",
  "brotliCompress", "brotliDecompress", "zstdCompress", "zstdDecompress",
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
function checkOptions(format: Format, options?: ZlibOptions): void {
  const [given, dictionary] = hostArguments(options);
  askZlib("checkOptions", { ...given, format }, [dictionary]);
}

/** Converts complete data. */
export function convert(format: Format, data: Uint8Array, options?: ZlibOptions): Buffer {
  const [given, dictionary] = hostArguments(options);
  return bufferOf(askZlib(format, given, [data, dictionary]) as Uint8Array);
}

const defaultChunk = 16_384;

/** Node's own engine of a stream, whose class packages take when they load, to make some when they need them. */
const Zlib = unavailable("zlib.Zlib");

/** A stream of zlib. It converts all data at its end, because the host keeps no state. */
export class ZlibStream extends lazyStream("Transform") {
  readonly #format: Format;
  readonly #options: ZlibOptions;
  readonly #data = new GrowingBytes();
  #closed = false;
  readonly _handle: object = Object.assign(Object.create(Zlib.prototype as object) as object, { onerror: null });

  constructor(format: Format, options: ZlibOptions & TransformOptions = {}) {
    checkOptions(format, options);
    super({ ...options, decodeStrings: true });
    this.#format = format;
    this.#options = { ...options };
  }

  get bytesWritten(): number {
    return this.#data.all.length;
  }

  override _transform(chunk: unknown, _encoding: string, done: TransformCallback): void {
    this.#data.append(inputBytes(chunk));
    done();
  }

  override _flush(done: TransformCallback): void {
    let output: Buffer;
    try {
      output = convert(this.#format, this.#data.all, this.#options);
    } catch (error) {
      return done(error as Error);
    }
    const size = this.#options.chunkSize ?? defaultChunk;
    for (let at = 0; at < output.length; at += size) this.push(output.subarray(at, at + size));
    return done();
  }

  /** Calls back after the data written so far. */
  flush(...given: unknown[]): void {
    const callback = given.at(-1);
    if (typeof callback === "function") queueMicrotask(() => (callback as () => void)());
  }

  /** Conversion happens at the end, so the last settings apply to all data. */
  params(level: number, strategy: number, callback?: () => void): void {
    Object.assign(this.#options, { level, strategy });
    this.flush(callback);
  }

  close(callback?: () => void): void {
    if (callback && this.#closed) queueMicrotask(callback);
    else if (callback) this.once("close", callback);
    this.#closed = true;
    this.destroy();
  }
}

const make = (format: Format) =>
  class extends ZlibStream {
    constructor(options: unknown = {}) {
      super(format, options as ZlibOptions & TransformOptions);
    }
  };

/** Node's classes by name. */
export const streamClasses: Readonly<Record<string, ReturnType<typeof make>>> = Object.fromEntries(
  formats.map((format) => [classOf(format), Object.defineProperty(make(format), "name", { value: classOf(format) })]),
);
