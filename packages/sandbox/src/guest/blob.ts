import { part } from "./parts.ts";
import { decodeUtf8, encodeUtf8, exactBuffer, joinBytes, viewBytes } from "./text.ts";

/** The bytes of a blob; not a copy, so read-only. */
export let blobBytes: (blob: Blob) => Uint8Array;

export class Blob {
  readonly #type: string;
  readonly #bytes: Uint8Array;
  static {
    blobBytes = (blob) => blob.#bytes;
  }
  constructor(parts: Iterable<unknown> = [], options: { type?: string; endings?: string } | null = {}) {
    if (typeof parts !== "object" || parts === null || typeof parts[Symbol.iterator] !== "function")
      throw new TypeError('The "sources" argument must be a sequence');
    const native = options?.endings === "native";
    this.#bytes = joinBytes(
      Array.from(parts, (given) => {
        if (given instanceof Blob) return given.#bytes;
        const text = (): string => (native ? String(given).replace(/\r?\n/g, "\n") : String(given));
        return viewBytes(given)?.slice() ?? encodeUtf8(text());
      }),
    );
    const type = String(options?.type ?? "");
    this.#type = /^[ -~]*$/.test(type) ? type.toLowerCase() : "";
  }
  get [Symbol.toStringTag](): string {
    return "Blob";
  }
  get type(): string {
    return this.#type;
  }
  get size(): number {
    return this.#bytes.length;
  }
  slice(start = 0, end = this.size, type = ""): Blob {
    return new Blob([this.#bytes.slice(start, end)], { type });
  }
  arrayBuffer(): Promise<ArrayBuffer> {
    return Promise.resolve(exactBuffer(this.#bytes.slice()));
  }
  bytes(): Promise<Uint8Array> {
    return Promise.resolve(this.#bytes.slice());
  }
  text(): Promise<string> {
    return Promise.resolve(decodeUtf8(this.#bytes));
  }
  stream(): object {
    return part("streams").streamOf(this.#bytes.slice());
  }
}
