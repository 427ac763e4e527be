/** Shorter files are not smaller as text, in characters. */
const minLength = 16_384;

/**
 * Converts a large JSON file to a module that parses it when it is required. As code, its objects would be part of the
 * program and of every copy of its image. Undefined: the file is bundled unchanged.
 */
export function parsedJson(text: string): string | undefined {
  if (text.length < minLength) return undefined;
  try {
    return `module.exports = JSON.parse(${JSON.stringify(JSON.stringify(JSON.parse(text)))});`;
  } catch {
    // The bundler reports the syntax error.
    return undefined;
  }
}
