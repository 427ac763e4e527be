/** No text in earnest begins with it; one that does is written as JSON, too. */
const mark = "\ufdd0";

/** A text as UTF-8 can hold it: halves of surrogate pairs, which it cannot, are written as JSON writes them. */
export const losslessText = (text: string): string =>
  text.isWellFormed() && !text.startsWith(mark) ? text : mark + JSON.stringify(text);

/** The text that was written so. */
export const readLossless = (stored: string): string =>
  stored.startsWith(mark) ? (JSON.parse(stored.slice(mark.length)) as string) : stored;
