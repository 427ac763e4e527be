import path from "node:path";

import { argumentError, typeError } from "../node-error.ts";

type Encoding = BufferEncoding | "buffer" | null | undefined;

/** The absolute, normalized path of a path argument. */
export function readPath(given: unknown, name = "path"): string {
  const text = given instanceof URL ? urlPath(given) : Buffer.isBuffer(given) ? given.toString() : given;
  if (typeof text !== "string") throw argumentError(name, "of type string or an instance of Buffer or URL", given);
  if (text.includes("\0"))
    throw typeError("ERR_INVALID_ARG_VALUE", `The argument '${name}' must be a string without null bytes`);
  const absolute = path.resolve(text);
  return absolute.length > 1 ? absolute.replace(/\/+$/, "") : absolute;
}

function urlPath(url: URL): string {
  if (url.protocol === "file:") return decodeURIComponent(url.pathname);
  throw typeError("ERR_INVALID_URL_SCHEME", "The URL must be of scheme file");
}

/** Options, which can be the name of an encoding. */
export function readOptions<Options extends object>(given: unknown): Partial<Options> & { encoding?: Encoding } {
  if (typeof given === "string")
    return { encoding: given as BufferEncoding } as Partial<Options> & { encoding?: Encoding };
  return typeof given === "object" && given !== null ? given : {};
}

export function readBytes(data: unknown, encoding?: Encoding): Uint8Array {
  if (typeof data === "string") return Buffer.from(data, encoding === "buffer" || !encoding ? "utf8" : encoding);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  throw argumentError("data", "of type string or an instance of Buffer, TypedArray, or DataView", data);
}

/** Bytes as text in an encoding, or as a buffer. */
export function encodeBytes(bytes: Uint8Array, encoding: Encoding): string | Buffer {
  const buffer = Buffer.from(bytes);
  return encoding && encoding !== "buffer" ? buffer.toString(encoding) : buffer;
}

export function readMode(given: unknown, otherwise: number): number {
  return typeof given === "string" ? Number.parseInt(given, 8) : typeof given === "number" ? given : otherwise;
}

export function readTime(given: unknown): number {
  if (given instanceof Date) return given.getTime();
  return Number(given) * 1000;
}
