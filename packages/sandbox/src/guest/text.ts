import { DOMException } from "./events.ts";
import { decodeText, utf8Encode } from "./host.ts";

const ascii = /^\p{ASCII}*$/u;
const { fromCharCode } = String;
const { apply } = Reflect;
const shortText = 256;

/** The UTF-8 bytes of a text. The host encodes all but short ASCII. */
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

/** The chunks in one new array. */
export function joinBytes(chunks: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    joined.set(chunk, offset);
    offset += chunk.length;
  }
  return joined;
}

export function viewBytes(source: unknown): Uint8Array | undefined {
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  return undefined;
}

/** The text of UTF-8 bytes. The host decodes all but short ASCII. */
export function decodeUtf8(bytes: Uint8Array): string {
  if (bytes.length <= shortText) {
    const text = apply(fromCharCode, undefined, bytes);
    if (ascii.test(text)) return text;
  }
  return decodeText(exactBuffer(bytes), "utf-8", false, false) ?? "";
}

export class TextEncoder {
  get encoding(): string {
    return "utf-8";
  }
  get [Symbol.toStringTag](): string {
    return "TextEncoder";
  }
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

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

export function btoa(given: unknown): string {
  const text = String(given);
  const parts: string[] = [];
  for (let index = 0; index < text.length; index += 3) {
    const codes = [0, 1, 2].map((offset) => text.charCodeAt(index + offset));
    if (codes.some((code) => code > 255)) throw new DOMException("Invalid character", "InvalidCharacterError");
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
  if (clean.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(clean))
    throw new DOMException("The string to be decoded is not correctly encoded.", "InvalidCharacterError");
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
