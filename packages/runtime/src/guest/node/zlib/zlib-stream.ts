import type { TransformCallback, TransformOptions } from "node:stream";

import { GrowingBytes } from "../crypto/bytes.ts";
import { lazyStream } from "../lazy-stream.ts";
import { checkOptions, classOf, convert, type Format, formats, inputBytes, type ZlibOptions } from "./formats.ts";

const defaultChunk = 16_384;

/** A stream of zlib. It converts all data at its end, because the host keeps no state. */
export class ZlibStream extends lazyStream("Transform") {
  readonly #format: Format;
  readonly #options: ZlibOptions;
  readonly #data = new GrowingBytes();
  #closed = false;

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
