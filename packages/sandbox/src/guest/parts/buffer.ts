import { Buffer } from "buffer/";

/** The realm's global. */
declare const TextDecoder: new (encoding: string, options: object) => { decode(bytes: Uint8Array): string };

/** Encodings by their names in methods such as `utf8Slice`, which protocol parsers call. */
const encodings = {
  ascii: "ascii",
  base64: "base64",
  base64url: "base64url",
  hex: "hex",
  latin1: "latin1",
  ucs2: "utf16le",
  utf8: "utf8",
} as const;

function methodsOf(encoding: (typeof encodings)[keyof typeof encodings]): readonly [slice: unknown, write: unknown] {
  return [
    function slice(this: Buffer, start?: number, end?: number): string {
      return this.toString(encoding, start, end);
    },
    function write(this: Buffer, text: string, offset = 0, length = this.length - offset): number {
      return this.write(text, offset, length, encoding);
    },
  ];
}

type Method = (this: unknown, ...given: unknown[]) => unknown;

const isUrlSafe = (encoding: unknown): boolean =>
  typeof encoding === "string" && encoding.toLowerCase() === "base64url";
/** The package decodes both alphabets as base64. */
const toBase64 = (given: unknown): unknown => (isUrlSafe(given) ? "base64" : given);

/** Makes methods of the package accept `base64url` after their first argument. */
function takeUrlSafe(holder: object, names: readonly string[]): void {
  for (const name of names) {
    const original = (holder as Record<string, Method>)[name];
    if (!original) continue;
    const value: Method = function (first, ...given) {
      return original.call(this, first, ...given.map(toBase64));
    };
    Object.defineProperty(value, "name", { value: name });
    Object.defineProperty(holder, name, { value, writable: true, configurable: true });
  }
}

function addUrlSafe(): void {
  takeUrlSafe(Buffer, ["from", "alloc", "byteLength"]);
  takeUrlSafe(Buffer.prototype, ["write", "fill", "indexOf", "lastIndexOf", "includes"]);
  const { isEncoding } = Buffer;
  const { toString } = Buffer.prototype;
  Buffer.isEncoding = (name: unknown) => isUrlSafe(name) || isEncoding(name as string);
  Buffer.prototype.toString = function toText(encoding, start, end) {
    const text = toString.call(this, isUrlSafe(encoding) ? "base64" : encoding, start, end);
    if (isUrlSafe(encoding)) return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
    // The package splits invalid bytes differently from the standard.
    if (!text.includes("\ufffd") || !/^utf-?8$/i.test(String(encoding ?? "utf8"))) return text;
    const [from, to] = [Math.max(0, start ?? 0), Math.min(this.length, end ?? this.length)];
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(this.subarray(from, to));
  };
  Object.defineProperty(Buffer.prototype.toString, "name", { value: "toString" });
}

/** `Buffer` of the package `buffer`, with undocumented methods of Node that packages call. */
export default (): { Buffer: unknown } => {
  addUrlSafe();
  for (const [name, encoding] of Object.entries(encodings)) {
    const [slice, write] = methodsOf(encoding);
    for (const [end, value] of [
      ["Slice", slice],
      ["Write", write],
    ] as const)
      Object.defineProperty(Buffer.prototype, name + end, {
        value,
        writable: true,
        configurable: true,
        enumerable: true,
      });
  }
  return { Buffer };
};
