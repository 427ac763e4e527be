import { createHash } from "node:crypto";

export const sha256Hex = (text: string | Uint8Array): string => createHash("sha256").update(text).digest("hex");

/** The same for every text that is the same; halves of pairs, which UTF-8 does not have, count. */
export const textHash = (text: string): string => sha256Hex(text.isWellFormed() ? text : Buffer.from(text, "utf16le"));
