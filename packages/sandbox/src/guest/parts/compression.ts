import type { Kit } from "../kit.ts";

interface Controller {
  enqueue(chunk: Uint8Array): void;
}
interface Transformer {
  transform(chunk: unknown): void;
  flush(controller: Controller): void;
}
interface Transformed {
  readonly readable: unknown;
  readonly writable: unknown;
}
export type TransformStreamClass = new (transformer: Transformer) => Transformed;

const compressing: Record<string, string> = {
  gzip: "gzip",
  deflate: "deflate",
  "deflate-raw": "deflateRaw",
  brotli: "brotliCompress",
};
const decompressing: Record<string, string> = {
  gzip: "gunzip",
  deflate: "inflate",
  "deflate-raw": "inflateRaw",
  brotli: "brotliDecompress",
};

/** CompressionStream and DecompressionStream; their output comes at the end of their input. */
export default (kit: Kit) => {
  function transform(TransformStream: TransformStreamClass, format: string): Transformed {
    const chunks: Uint8Array[] = [];
    return new TransformStream({
      transform(chunk) {
        const bytes = kit.viewBytes(chunk);
        if (!bytes) throw new TypeError("A chunk must be an ArrayBuffer or a view of one");
        chunks.push(bytes.slice());
      },
      flush(controller) {
        let output: Uint8Array;
        try {
          const given = { options: {}, hasDictionary: false };
          output = kit.askZlib(format, given, [kit.joinBytes(chunks), new Uint8Array(0)]) as Uint8Array;
        } catch (error) {
          throw Object.assign(new TypeError((error as Error).message, { cause: error }), {
            code: (error as { code?: unknown }).code,
          });
        }
        if (output.length > 0) controller.enqueue(output);
      },
    });
  }

  const make = (name: string, formats: Record<string, string>, TransformStream: TransformStreamClass): unknown => {
    const made = class {
      readonly #stream: Transformed;
      constructor(given: unknown) {
        const format = formats[String(given)];
        if (format === undefined || !Object.hasOwn(formats, String(given)))
          throw new TypeError(`Unsupported compression format: '${String(given)}'`);
        this.#stream = transform(TransformStream, format);
      }
      get readable(): unknown {
        return this.#stream.readable;
      }
      get writable(): unknown {
        return this.#stream.writable;
      }
      get [Symbol.toStringTag](): string {
        return name;
      }
    };
    return Object.defineProperty(made, "name", { value: name });
  };

  return (TransformStream: TransformStreamClass): Record<string, unknown> => ({
    CompressionStream: make("CompressionStream", compressing, TransformStream),
    DecompressionStream: make("DecompressionStream", decompressing, TransformStream),
  });
};
