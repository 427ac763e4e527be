import { losslessText } from "@x/runtime/store";

/** A noncharacter that marks a text in JSON; `readLossless` decodes it. */
const mark = "\ufdd0";

/** Encodes a text for the server, which stores neither lone surrogates nor U+0000. */
export const pgText = (text: string): string =>
  text.includes("\0") ? mark + JSON.stringify(text) : losslessText(text);
