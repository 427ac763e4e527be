import { createHash } from "node:crypto";

export const sha256Hex = (text: string | Uint8Array): string => createHash("sha256").update(text).digest("hex");

/** Hashes a text as UTF-8, or as UTF-16 when it has lone surrogates, which UTF-8 cannot represent. */
export const textHash = (text: string): string => sha256Hex(text.isWellFormed() ? text : Buffer.from(text, "utf16le"));
