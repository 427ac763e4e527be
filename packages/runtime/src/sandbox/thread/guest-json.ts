/** Brackets, braces and commas outside of texts, up to `most` of them and one more. */
function countParts(text: string, most: number): number {
  let parts = 0;
  for (let index = 0; index < text.length && parts <= most; index++) {
    const code = text.charCodeAt(index);
    if (code === 34) index = endOfText(text, index + 1);
    else if (code === 44 || code === 91 || code === 123) parts++;
  }
  return parts;
}

/** Where the text that begins here ends, or the JSON does. */
function endOfText(text: string, start: number): number {
  for (let index = start; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 92) index++;
    else if (code === 34) return index;
  }
  return text.length;
}

/**
 * Parses what a guest says. Of few bytes of JSON many objects can be made, which no cap of the guest's memory bounds: more
 * than `mostParts` of them are refused. Throws, too, when the text is not JSON.
 */
export function parseGuestJson(text: string, mostParts: number): unknown {
  if (countParts(text, mostParts) > mostParts) throw new TypeError(`More than ${mostParts} parts`);
  return JSON.parse(text);
}

/** The same for a single value. */
export const parseGuestText = (text: string): string => String(parseGuestJson(text, 0));
