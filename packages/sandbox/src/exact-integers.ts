/** The escapes, quotes and long numbers of JSON text. */
const parts = /\\[^]|"|-?[\d.eE+-]{16,}/g;
const integer = /^-?\d+$/;

/** Parses JSON; integers that a number cannot hold exactly become texts of their digits. Throws as `JSON.parse` does. */
export function parseExactly(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  if (!/\d{16}/.test(text)) return parsed;
  let inString = false;
  const exact = text.replace(parts, (part) => {
    if (part === '"') inString = !inString;
    return !inString && integer.test(part) && !Number.isSafeInteger(Number(part)) ? `"${part}"` : part;
  });
  return JSON.parse(exact);
}
