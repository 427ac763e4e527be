/** A noncharacter. A text that begins with it is written as JSON, too. */
const mark = "\ufdd0";

/** Encodes a text with lone surrogates, which UTF-8 cannot represent, as JSON. */
export const losslessText = (text: string): string =>
  text.isWellFormed() && !text.startsWith(mark) ? text : mark + JSON.stringify(text);

/** Decodes a stored text. */
export const readLossless = (stored: string): string =>
  stored.startsWith(mark) ? (JSON.parse(stored.slice(mark.length)) as string) : stored;
