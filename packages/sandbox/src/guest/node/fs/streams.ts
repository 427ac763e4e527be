import type Stream from "node:stream";
import { builtin } from "x:host";

import { readBytes, readOptions } from "./arguments.ts";
import { operations } from "./operations.ts";

interface StreamOptions {
  readonly flags?: string;
  readonly mode?: number;
  readonly fd?: number;
  readonly start?: number;
  readonly end?: number;
  readonly highWaterMark?: number;
  readonly autoClose?: boolean;
  readonly signal?: AbortSignal;
}

const chunkBytes = 65_536;
type Done = (error?: Error | null) => void;
type FileStream = new (path: unknown, options?: unknown) => object;

const errorOf = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** Runs `run` and passes its error, if any, to the stream. */
function attempt(run: () => void, done: Done): void {
  try {
    run();
  } catch (error) {
    done(errorOf(error));
    return;
  }
  done();
}

/** Closes the file of a stream unless `autoClose` is false. */
function release(stream: { fd: number | null }, { autoClose }: StreamOptions): void {
  if (stream.fd !== null && autoClose !== false) operations.close(stream.fd);
  stream.fd = null;
}

function createTypes(): { readonly ReadStream: FileStream; readonly WriteStream: FileStream } {
  const { Readable, Writable } = builtin("node:stream") as typeof Stream;

  class ReadStream extends Readable {
    readonly path: unknown;
    fd: number | null = null;
    bytesRead = 0;
    #at: number | undefined;
    #rest: number;
    readonly #options: StreamOptions;

    constructor(path: unknown, given?: unknown) {
      const { encoding, ...options } = readOptions<StreamOptions>(given);
      super({ highWaterMark: options.highWaterMark ?? chunkBytes, ...(options.signal && { signal: options.signal }) });
      if (encoding && encoding !== "buffer") this.setEncoding(encoding);
      this.path = path;
      this.#options = options;
      this.#at = options.start;
      this.#rest = (options.end ?? Infinity) - (options.start ?? 0) + 1;
    }
    override _construct(done: Done): void {
      attempt(() => {
        this.fd = this.#options.fd ?? operations.open(this.path, this.#options.flags ?? "r");
        this.emit("open", this.fd);
        this.emit("ready");
      }, done);
    }
    override _read(size: number): void {
      try {
        const buffer = Buffer.alloc(Math.min(size, this.#rest));
        const count = operations.read(this.fd, buffer, 0, buffer.length, this.#at);
        this.bytesRead += count;
        this.#rest -= count;
        if (this.#at !== undefined) this.#at += count;
        this.push(count > 0 ? buffer.subarray(0, count) : null);
      } catch (error) {
        this.destroy(errorOf(error));
      }
    }
    override _destroy(error: Error | null, done: Done): void {
      release(this, this.#options);
      done(error);
    }
    close(done?: Done): void {
      if (done) this.once("close", done);
      this.destroy();
    }
  }

  class WriteStream extends Writable {
    readonly path: unknown;
    fd: number | null = null;
    bytesWritten = 0;
    #at: number | undefined;
    readonly #options: StreamOptions;

    constructor(path: unknown, given?: unknown) {
      const { encoding, ...options } = readOptions<StreamOptions>(given);
      super({ ...(options.signal && { signal: options.signal }) });
      if (encoding && encoding !== "buffer") this.setDefaultEncoding(encoding);
      this.path = path;
      this.#options = options;
      this.#at = options.start;
    }
    override _construct(done: Done): void {
      attempt(() => {
        this.fd = this.#options.fd ?? operations.open(this.path, this.#options.flags ?? "w", this.#options.mode);
        this.emit("open", this.fd);
        this.emit("ready");
      }, done);
    }
    override _write(chunk: unknown, encoding: BufferEncoding, done: Done): void {
      attempt(() => {
        const bytes = readBytes(chunk, encoding);
        operations.write(this.fd, bytes, 0, bytes.length, this.#at);
        if (this.#at !== undefined) this.#at += bytes.length;
        this.bytesWritten += bytes.length;
      }, done);
    }
    override _destroy(error: Error | null, done: Done): void {
      release(this, this.#options);
      done(error);
    }
    close(done?: Done): void {
      if (done) this.once("close", done);
      this.end();
    }
  }

  return { ReadStream, WriteStream };
}

let types: ReturnType<typeof createTypes> | undefined;

/** The stream classes of files; created on demand, because `node:stream` is large. */
export const fileStreams = (): ReturnType<typeof createTypes> => (types ??= createTypes());
