import { decodeText, utf8Encode } from "./host.ts";

const ascii = /^\p{ASCII}*$/u;
const shortText = 256;

/** UTF-8 bytes of a text. Short ASCII stays inside; the rest is encoded by the host. */
export function encodeUtf8(text: string): Uint8Array {
  if (text.length > shortText || !ascii.test(text)) return new Uint8Array(utf8Encode(text));
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}

export function exactBuffer(bytes: Uint8Array): ArrayBuffer {
  return bytes.byteLength === bytes.buffer.byteLength
    ? (bytes.buffer as ArrayBuffer)
    : (bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer);
}

export function viewBytes(source: unknown): Uint8Array | undefined {
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  return undefined;
}

export const decodeUtf8 = (bytes: Uint8Array): string => decodeText(exactBuffer(bytes), "utf-8", false, false) ?? "";

export class TextEncoder {
  readonly encoding = "utf-8";
  encode(text = ""): Uint8Array {
    return encodeUtf8(String(text));
  }
  encodeInto(text: string, target: Uint8Array): { read: number; written: number } {
    let read = 0;
    let written = 0;
    for (const character of String(text)) {
      const bytes = encodeUtf8(character);
      if (written + bytes.length > target.length) break;
      target.set(bytes, written);
      written += bytes.length;
      read += character.length;
    }
    return { read, written };
  }
}

export class TextDecoder {
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  #held = new Uint8Array(0);

  constructor(label = "utf-8", options: { fatal?: boolean; ignoreBOM?: boolean } = {}) {
    this.fatal = Boolean(options.fatal);
    this.ignoreBOM = Boolean(options.ignoreBOM);
    const known = decodeText(new ArrayBuffer(0), String(label), false, false);
    if (known === undefined) throw new RangeError(`The encoding "${label}" is not supported`);
    this.encoding = String(label)
      .trim()
      .toLowerCase()
      .replace(/^utf8$/, "utf-8");
  }

  decode(source?: unknown, options: { stream?: boolean } = {}): string {
    const given = source === undefined ? new Uint8Array(0) : viewBytes(source);
    if (!given) throw new TypeError("decode takes an ArrayBuffer or a view of one");
    let bytes = given;
    if (this.#held.length > 0) {
      bytes = new Uint8Array(this.#held.length + given.length);
      bytes.set(this.#held);
      bytes.set(given, this.#held.length);
    }
    const whole = options.stream && this.encoding === "utf-8" ? wholeCharacters(bytes) : bytes.length;
    this.#held = bytes.slice(whole);
    const text = decodeText(exactBuffer(bytes.slice(0, whole)), this.encoding, this.fatal, this.ignoreBOM);
    if (text === undefined) throw new TypeError(`The data is not valid ${this.encoding}`);
    return text;
  }
}

/** Length of the prefix that ends on a character boundary of UTF-8. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const width = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return width > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

export function btoa(given: unknown): string {
  const text = String(given);
  const parts: string[] = [];
  for (let index = 0; index < text.length; index += 3) {
    const codes = [0, 1, 2].map((offset) => text.charCodeAt(index + offset));
    if (codes.some((code) => code > 255)) throw new RangeError("btoa takes characters up to U+00FF");
    const [first = 0, second = 0, third = 0] = codes.map((code) => (Number.isNaN(code) ? 0 : code));
    const left = text.length - index;
    parts.push(
      (letters[first >> 2] ?? "") +
        (letters[((first & 3) << 4) | (second >> 4)] ?? "") +
        (left > 1 ? letters[((second & 15) << 2) | (third >> 6)] : "=") +
        (left > 2 ? letters[third & 63] : "="),
    );
  }
  return parts.join("");
}

export function atob(given: unknown): string {
  const text = String(given).replace(/[\t\n\f\r ]/g, "");
  const clean = text.length % 4 === 0 ? text.replace(/={1,2}$/, "") : text;
  if (clean.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(clean)) throw new RangeError("atob takes valid base64");
  const parts: string[] = [];
  let bits = 0;
  let width = 0;
  for (const letter of clean) {
    bits = (bits << 6) | letters.indexOf(letter);
    width += 6;
    if (width >= 8) {
      width -= 8;
      parts.push(String.fromCharCode((bits >> width) & 255));
    }
  }
  return parts.join("");
}
