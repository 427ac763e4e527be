import * as ponyfill from "web-streams-polyfill";

import type { Kit } from "../kit.ts";
import { createTextStreams } from "./text-streams.ts";

export type ByteStream = ponyfill.ReadableStream<unknown>;

export interface Streams {
  /** The classes of the Streams standard, and the text streams of the Encoding standard. */
  readonly classes: Record<string, unknown>;
  /** A stream of these bytes. */
  streamOf(bytes: Uint8Array): ByteStream;
  /** A stream of the chunks of an async iterable; a stream is returned unchanged. */
  from(given: unknown): ByteStream;
  /** A stream with the content of another, which becomes locked. */
  proxyOf(stream: ByteStream): ByteStream;
  /** A stream that has been read to its end. */
  spent(): ByteStream;
  isDisturbed(stream: ByteStream): boolean;
  /** All bytes of a stream; rejects for chunks of another type. */
  readAll(stream: ByteStream): Promise<Uint8Array>;
}

/** The internal member by which web-streams-polyfill records that a stream was read. */
const disturbed = (stream: ByteStream): { _disturbed?: boolean } => stream as { _disturbed?: boolean };

export default (kit: Kit): Streams => {
  const { ReadableStream } = ponyfill;
  return {
    classes: { ...ponyfill, ...createTextStreams(kit, ponyfill.TransformStream) },
    streamOf(bytes) {
      const source = {
        type: "bytes" as const,
        pull(controller: ponyfill.ReadableByteStreamController) {
          if (bytes.length > 0) controller.enqueue(bytes.slice());
          controller.close();
          controller.byobRequest?.respond(0);
        },
      };
      return new ReadableStream(source, { highWaterMark: 0 });
    },
    from: (given) =>
      given instanceof ReadableStream ? (given as ByteStream) : ReadableStream.from(given as AsyncIterable<unknown>),
    proxyOf(stream) {
      disturbed(stream)._disturbed = true;
      return stream.pipeThrough(new ponyfill.TransformStream<unknown, unknown>());
    },
    spent() {
      const stream = new ReadableStream({ start: (controller) => controller.close() });
      disturbed(stream)._disturbed = true;
      return stream;
    },
    isDisturbed: (stream) => disturbed(stream)._disturbed === true,
    async readAll(stream) {
      const reader = stream.getReader();
      const chunks: Uint8Array[] = [];
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return kit.joinBytes(chunks);
        if (!(value instanceof Uint8Array)) throw new TypeError("Received non-Uint8Array chunk");
        chunks.push(value);
      }
    },
  };
};
