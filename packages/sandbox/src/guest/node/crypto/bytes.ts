import { typeError, wrongType } from "../node-error.ts";

/** The bytes of a buffer or view, not copied; undefined for other values. */
export function viewOf(value: unknown): Uint8Array | undefined {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength);
  return undefined;
}

const encoder = new TextEncoder();

/** Bytes of a text in one of Node's encodings; UTF-8 for an unknown one. */
export function encodeText(text: string, encoding: unknown): Uint8Array {
  const name = String(encoding).toLowerCase();
  if (name === "hex" && text.length % 2 !== 0)
    throw typeError(
      "ERR_INVALID_ARG_VALUE",
      `The argument 'encoding' is invalid for data of length ${text.length}. Received '${String(encoding)}'`,
    );
  return /^utf-?8$/.test(name) || !Buffer.isEncoding(name) ? encoder.encode(text) : Buffer.from(text, name);
}

const wanted = "of type string or an instance of Buffer, TypedArray, or DataView";

/** The bytes of a data argument. */
export function bytesOf(value: unknown, name: string, encoding?: unknown, kinds: string = wanted): Uint8Array {
  if (typeof value === "string") return encodeText(value, encoding);
  const view = viewOf(value);
  if (!view || (kinds === wanted && value instanceof ArrayBuffer)) throw wrongType(name, kinds, value);
  return view;
}

/** Node's text for the types of a byte source. */
export const anyBytes = "of type string or an instance of ArrayBuffer, Buffer, TypedArray, or DataView";

export const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);

/** Bytes in an output encoding; a Buffer when it is missing or unknown. */
export function decodeBytes(bytes: Uint8Array, encoding: unknown): string | Buffer {
  const buffer = bufferOf(bytes);
  if (encoding === undefined || encoding === null) return buffer;
  const name = String(encoding).toLowerCase();
  return name !== "buffer" && Buffer.isEncoding(name) ? buffer.toString(name) : buffer;
}

/** A growing list of bytes. */
export class GrowingBytes {
  #bytes = new Uint8Array(0);
  #length = 0;

  append(piece: Uint8Array): void {
    const needed = this.#length + piece.length;
    if (needed > this.#bytes.length) {
      // The first piece is often the only one, so it gets no spare room.
      const grown = new Uint8Array(this.#length === 0 ? needed : Math.max(needed, this.#bytes.length * 2));
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
    }
    this.#bytes.set(piece, this.#length);
    this.#length = needed;
  }

  get all(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  copy(): GrowingBytes {
    const copy = new GrowingBytes();
    copy.append(this.all);
    return copy;
  }
}
