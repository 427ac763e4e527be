import type { Json } from "@x/runtime";

/** JSON that is text already: it goes into an answer as it is, without being parsed. */
export class JsonText {
  readonly texts: readonly string[];

  constructor(...texts: readonly string[]) {
    this.texts = texts;
  }

  toJSON(): Json {
    return JSON.parse(this.texts.join("")) as Json;
  }
}

/** Below an item of a list everything is small, or a `JsonText`. */
const itemDepth = 3;

function* writeTexts(value: unknown, depth: number): Generator<string> {
  if (value instanceof JsonText) yield* value.texts;
  else if (depth === itemDepth || typeof value !== "object" || value === null) yield JSON.stringify(value);
  else if (Array.isArray(value)) {
    let before = "[";
    for (const item of value) {
      yield before;
      yield* writeTexts(item, depth + 1);
      before = ",";
    }
    yield before === "[" ? "[]" : "]";
  } else {
    let before = "{";
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue;
      yield `${before}${JSON.stringify(name)}:`;
      yield* writeTexts(member, depth + 1);
      before = ",";
    }
    yield before === "{" ? "{}" : "}";
  }
}

/** The JSON of an object in pieces; down to the members of the items of a list, a `JsonText` is not parsed. */
export const jsonTexts = (value: object): Iterable<string> => writeTexts(value, 0);

const joinedChars = 16 * 1024;

/** Texts as bytes: short ones together, a long one by itself. */
export function encodeTexts(texts: Iterable<string>): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let short: string[] = [];
  let chars = 0;
  const flush = (): void => {
    if (chars > 0) chunks.push(Buffer.from(short.join("")));
    short = [];
    chars = 0;
  };
  for (const text of texts) {
    if (text.length >= joinedChars) {
      flush();
      chunks.push(Buffer.from(text));
    } else {
      short.push(text);
      chars += text.length;
      if (chars >= joinedChars) flush();
    }
  }
  flush();
  return chunks;
}

/** A text in pieces of at most `chars`, none of which ends in half a character. */
export function* sliceText(text: string, chars: number): Generator<string> {
  let start = 0;
  while (start < text.length) {
    let end = Math.min(text.length, start + chars);
    const isSplit = end < text.length && /[\uD800-\uDBFF]/.test(text[end - 1] ?? "");
    if (isSplit && end - start > 1) end -= 1;
    yield text.slice(start, end);
    start = end;
  }
}
