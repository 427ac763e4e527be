/** Below this many characters an object of the engine's own is as small. */
const leastLength = 16_384;

/**
 * A large JSON file as a module that parses its text when it is required: as code, each of its texts and objects would
 * be part of the program, of its image, and of every copy of that. Undefined: it is bundled as it is.
 */
export function parsedJson(text: string): string | undefined {
  if (text.length < leastLength) return undefined;
  try {
    return `module.exports = JSON.parse(${JSON.stringify(JSON.stringify(JSON.parse(text)))});`;
  } catch {
    // The bundler says where it is wrong.
    return undefined;
  }
}
