import type { Json } from "@x/runtime";

/** JSON text that is written into an answer unparsed. */
export class JsonText {
  readonly texts: readonly string[];

  constructor(...texts: readonly string[]) {
    this.texts = texts;
  }

  toJSON(): Json {
    return JSON.parse(this.texts.join("")) as Json;
  }
}

/** The text as the value that it stands for. */
export const asJson = (text: JsonText): Json => text as unknown as Json;

/** Deeper values are small, or a `JsonText`. */
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

/** The JSON of an object in pieces. A `JsonText` is not parsed down to the members of list items. */
export const jsonTexts = (value: object): Iterable<string> => writeTexts(value, 0);

const joinedChars = 16 * 1024;

/** UTF-8 chunks of texts: short texts are joined, a long one is a chunk of its own. */
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

/** Pieces of at most `chars` characters; never cuts a surrogate pair. */
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
