import { tokenizer } from "acorn";

/** A token of an author's text. The text may be TypeScript, so it is not parsed to a syntax tree. */
export interface Token {
  readonly text: string;
  readonly start: number;
  /** A name, `this` or another word. */
  readonly isWord: boolean;
}

const most = 200_000;

/** All tokens up to the first syntax error. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  try {
    for (const { start, end, type } of tokenizer(text, { ecmaVersion: "latest", sourceType: "module" })) {
      const isWord = type.label === "name" || type.label === "privateId" || type.keyword !== undefined;
      tokens.push({ text: text.slice(start, end), start, isWord });
      if (tokens.length >= most) break;
    }
  } catch {
    // The rest of the text is unknown.
  }
  return tokens;
}

/** Index of the token at an offset, or of the next one; -1 after the last token. */
export function tokenAt(tokens: readonly Token[], offset: number): number {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const token = tokens[middle];
    if (token && token.start + token.text.length <= offset) low = middle + 1;
    else high = middle;
  }
  return low < tokens.length ? low : -1;
}

const opens: readonly string[] = ["(", "[", "{", "${"];
const closes: readonly string[] = [")", "]", "}"];

/** Index of the bracket that the closing bracket at `at` matches; -1 when there is none. */
export function openOf(tokens: readonly Token[], at: number): number {
  let depth = 0;
  for (let index = at; index >= 0; index--) {
    const { text } = tokens[index] ?? { text: "" };
    if (closes.includes(text)) depth += 1;
    else if (opens.includes(text) && --depth === 0) return index;
  }
  return -1;
}

/** Index of the bracket that closes the one at `at`; -1 when there is none. */
export function closeOf(tokens: readonly Token[], at: number): number {
  let depth = 0;
  for (let index = at; index < tokens.length; index++) {
    const { text } = tokens[index] ?? { text: "" };
    if (opens.includes(text)) depth += 1;
    else if (closes.includes(text) && --depth === 0) return index;
  }
  return -1;
}

/** Index of the bracket around a token; -1 at the top. */
export function enclosing(tokens: readonly Token[], at: number): number {
  let depth = 0;
  for (let index = at - 1; index >= 0; index--) {
    const { text } = tokens[index] ?? { text: "" };
    if (closes.includes(text)) depth += 1;
    else if (opens.includes(text) && depth-- === 0) return index;
  }
  return -1;
}
