import { TextDecoder } from "node:util";

import { parameterOf } from "./content-type.ts";

/** A body, or a field of a form, as text. */
export interface BodyText {
  readonly text: string;
  /** False where bytes are no text of the charset: they are U+FFFD. */
  readonly isClean: boolean;
  /** True when `text` in UTF-8 is the bytes again. */
  readonly isExact: boolean;
  /** The declared charset, when the platform does not know it; the bytes were read as UTF-8. */
  readonly unknownCharset?: string;
}

const cleanUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const anyUtf8 = new TextDecoder("utf-8", { ignoreBOM: true });

function utf8Text(bytes: Uint8Array): BodyText {
  try {
    return { text: cleanUtf8.decode(bytes), isClean: true, isExact: true };
  } catch {
    return { text: anyUtf8.decode(bytes), isClean: false, isExact: false };
  }
}

function decoderOf(charset: string): TextDecoder | undefined {
  try {
    return new TextDecoder(charset, { ignoreBOM: true });
  } catch {
    return undefined;
  }
}

/** Reads bytes in a charset, such as `iso-8859-1`; in UTF-8 without one. */
export function decodeText(bytes: Uint8Array, charset: string | undefined): BodyText {
  if (!charset || /^utf-?8$/i.test(charset)) return utf8Text(bytes);
  const decoder = decoderOf(charset);
  if (!decoder) return { ...utf8Text(bytes), unknownCharset: charset };
  if (decoder.encoding === "utf-8") return utf8Text(bytes);
  const text = decoder.decode(bytes);
  return { text, isClean: !text.includes("\uFFFD"), isExact: Buffer.from(text).equals(bytes) };
}

/** The charset of a Content-Type header. */
export const charsetOf = (contentType: string | undefined): string | undefined => parameterOf(contentType, "charset");
