import type { Readable as NodeReadable, ReadableOptions, Writable as NodeWritable, WritableOptions } from "node:stream";

import Stream from "readable-stream/lib/stream.js";

const failure = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** `Readable.fromWeb`: reads the web stream on demand. */
export function fromWebReadable(web: ReadableStream, options?: ReadableOptions): NodeReadable {
  const reader = web.getReader();
  let ended = false;
  return new Stream.Readable({
    ...options,
    read() {
      reader.read().then(
        ({ done, value }) => {
          ended = done;
          this.push(done ? null : value);
        },
        (error: unknown) => this.destroy(failure(error)),
      );
    },
    destroy(error, done) {
      const closed = ended ? Promise.resolve() : reader.cancel(error ?? undefined);
      const end = (): void => done(error);
      closed.then(end, end);
    },
  });
}

/** `Readable.toWeb`. */
export function toWebReadable(readable: NodeReadable): ReadableStream {
  const isObjectMode = readable.readableObjectMode;
  return new ReadableStream({
    start(controller) {
      readable.pause();
      readable.on("data", (chunk: unknown) => {
        controller.enqueue(isObjectMode || typeof chunk === "string" ? chunk : new Uint8Array(chunk as Uint8Array));
        if ((controller.desiredSize ?? 0) <= 0) readable.pause();
      });
      Stream.finished(readable, (error) => {
        if (error) controller.error(error);
        else controller.close();
      });
    },
    pull() {
      readable.resume();
    },
    cancel(reason) {
      readable.destroy(reason === undefined ? undefined : failure(reason));
    },
  });
}

/** `Writable.fromWeb`. */
export function fromWebWritable(web: WritableStream, options?: WritableOptions): NodeWritable {
  const writer = web.getWriter();
  const settle = (work: Promise<void>, done: (error?: Error | null) => void): void => {
    work.then(
      () => done(),
      (error: unknown) => done(failure(error)),
    );
  };
  return new Stream.Writable({
    ...options,
    write(chunk: unknown, _encoding, done) {
      settle(writer.write(chunk), done);
    },
    final(done) {
      settle(writer.close(), done);
    },
    destroy(error, done) {
      if (!error) return done(null);
      const end = (): void => done(error);
      writer.abort(error).then(end, end);
    },
  });
}

/** `Writable.toWeb`. */
export function toWebWritable(writable: NodeWritable): WritableStream {
  return new WritableStream({
    write: (chunk: unknown) =>
      new Promise((resolve, reject) => {
        writable.write(chunk, (error) => (error ? reject(error) : resolve()));
      }),
    close: () => new Promise((resolve) => writable.end(() => resolve())),
    abort(reason) {
      writable.destroy(failure(reason));
    },
  });
}
