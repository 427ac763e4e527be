import { Buffer } from "buffer/";

/** The realm's: a part has no host of its own. */
declare const TextDecoder: new (encoding: string, options: object) => { decode(bytes: Uint8Array): string };

/** As Node names encodings in methods of one encoding each, which parsers of protocols call. */
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
/** The package reads both alphabets as one. */
const known = (given: unknown): unknown => (isUrlSafe(given) ? "base64" : given);

/** Lets methods of the package take `base64url`, behind what it is about. */
function takeUrlSafe(holder: object, names: readonly string[]): void {
  for (const name of names) {
    const original = (holder as Record<string, Method>)[name];
    if (!original) continue;
    const value: Method = function (about, ...given) {
      return original.call(this, about, ...given.map(known));
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
    // Of bytes that are no text, the package counts other parts than the standard.
    if (!text.includes("\ufffd") || !/^utf-?8$/i.test(String(encoding ?? "utf8"))) return text;
    const [from, to] = [Math.max(0, start ?? 0), Math.min(this.length, end ?? this.length)];
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(this.subarray(from, to));
  };
  Object.defineProperty(Buffer.prototype.toString, "name", { value: "toString" });
}

/** `Buffer` of the package of this name, with methods that Node does not document and packages call. */
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
