/** Counts brackets, braces and commas outside of strings; stops after `most` + 1. */
function countParts(text: string, most: number): number {
  let parts = 0;
  for (let index = 0; index < text.length && parts <= most; index++) {
    const code = text.charCodeAt(index);
    if (code === 34) index = endOfString(text, index + 1);
    else if (code === 44 || code === 91 || code === 123) parts++;
  }
  return parts;
}

/** Index of the quote that ends the string starting here, or the length of the text. */
function endOfString(text: string, start: number): number {
  for (let index = start; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 92) index++;
    else if (code === 34) return index;
  }
  return text.length;
}

/**
 * Parses JSON from a guest. A few bytes of JSON can make many objects, which the guest's memory cap does not limit, so
 * JSON with more than `maxParts` brackets, braces and commas is refused. Throws on that and on invalid JSON.
 */
export function parseGuestJson(text: string, maxParts: number): unknown {
  if (countParts(text, maxParts) > maxParts) throw new TypeError(`More than ${maxParts} parts`);
  return JSON.parse(text);
}

/** Parses a single JSON value as a string. Throws on anything with parts and on invalid JSON. */
export const parseGuestText = (text: string): string => String(parseGuestJson(text, 0));

/** Nesting depth of JSON text, without parsing it. */
export function jsonDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 34) index = endOfString(text, index + 1);
    else if (code === 91 || code === 123) deepest = Math.max(deepest, ++depth);
    else if (code === 93 || code === 125) depth--;
  }
  return deepest;
}

/** Whether text is JSON. Stored text is parsed later by the host, and a component can replace what makes its JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Splits `head\nrest` at the first line break; JSON text contains none. */
export function splitLine(text: string): [head: string, rest: string] {
  const end = text.indexOf("\n");
  return end < 0 ? [text, ""] : [text.slice(0, end), text.slice(end + 1)];
}
