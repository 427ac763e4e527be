import type { TransformStream } from "web-streams-polyfill";

import type { Kit } from "../kit.ts";

type Decoder = InstanceType<Kit["TextDecoder"]>;

/** TextEncoderStream and TextDecoderStream of the Encoding standard. */
export function createTextStreams(kit: Kit, Transform: typeof TransformStream): Record<string, unknown> {
  class TextEncoderStream {
    readonly #stream: TransformStream<unknown, Uint8Array>;
    constructor() {
      let half = "";
      this.#stream = new Transform<unknown, Uint8Array>({
        transform(chunk, controller) {
          const text = half + String(chunk);
          // The first half of a surrogate pair waits for the second.
          const cut = /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length;
          half = text.slice(cut);
          if (cut > 0) controller.enqueue(kit.encodeUtf8(text.slice(0, cut)));
        },
        flush(controller) {
          if (half !== "") controller.enqueue(kit.encodeUtf8("\ufffd"));
        },
      });
    }
    get encoding(): string {
      return "utf-8";
    }
    get readable(): unknown {
      return this.#stream.readable;
    }
    get writable(): unknown {
      return this.#stream.writable;
    }
    get [Symbol.toStringTag](): string {
      return "TextEncoderStream";
    }
  }

  class TextDecoderStream {
    readonly #stream: TransformStream<unknown, string>;
    readonly #decoder: Decoder;
    constructor(label?: unknown, options?: { fatal?: boolean; ignoreBOM?: boolean }) {
      const decoder = new kit.TextDecoder(label, options);
      this.#decoder = decoder;
      this.#stream = new Transform<unknown, string>({
        transform(chunk, controller) {
          if (!kit.viewBytes(chunk)) throw new TypeError("A chunk must be an ArrayBuffer or a view of one");
          const text = decoder.decode(chunk, { stream: true });
          if (text !== "") controller.enqueue(text);
        },
        flush(controller) {
          const text = decoder.decode();
          if (text !== "") controller.enqueue(text);
        },
      });
    }
    get encoding(): string {
      return this.#decoder.encoding;
    }
    get fatal(): boolean {
      return this.#decoder.fatal;
    }
    get ignoreBOM(): boolean {
      return this.#decoder.ignoreBOM;
    }
    get readable(): unknown {
      return this.#stream.readable;
    }
    get writable(): unknown {
      return this.#stream.writable;
    }
    get [Symbol.toStringTag](): string {
      return "TextDecoderStream";
    }
  }
  return { TextDecoderStream, TextEncoderStream };
}
