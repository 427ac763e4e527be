import { parser } from "../imports/parser.ts";

/** A token of an author's text. The text may be TypeScript, so it is not parsed to a syntax tree. */
export interface Token {
  readonly text: string;
  readonly start: number;
  /** A name, `this` or another word. */
  readonly isWord: boolean;
  /** Index of the bracket around it; -1 at the top. */
  readonly around: number;
  /** Index of the bracket or backtick that belongs to this one; -1 when there is none. */
  pair: number;
}

const most = 200_000;
const opens: readonly string[] = ["(", "[", "{", "${"];
const closes: readonly string[] = [")", "]", "}"];

/** All tokens up to the first syntax error. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  // Brackets and backticks that are not closed yet, by index.
  const open: number[] = [];
  const pairUp = (token: Token): void => {
    const index = open.pop();
    const other = index === undefined ? undefined : tokens[index];
    if (index === undefined || !other) return;
    other.pair = tokens.length;
    token.pair = index;
  };
  const aroundNow = (): number => {
    const last = open.at(-1) ?? -1;
    return tokens[last]?.text === "`" ? (tokens[last]?.around ?? -1) : last;
  };
  try {
    for (const { start, end, type } of parser().tokenizer(text, { ecmaVersion: "latest", sourceType: "module" })) {
      const { label, keyword } = type;
      const isWord = label === "name" || label === "privateId" || keyword !== undefined;
      const token: Token = { text: text.slice(start, end), start, isWord, around: aroundNow(), pair: -1 };
      const closesTemplate = label === "`" && tokens[open.at(-1) ?? -1]?.text === "`";
      if (closesTemplate || closes.includes(label)) pairUp(token);
      else if (label === "`" || opens.includes(label)) open.push(tokens.length);
      tokens.push(token);
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

/** Index of the bracket or backtick that belongs to the one at `at`; -1 when there is none. */
export const pairOf = (tokens: readonly Token[], at: number): number => tokens[at]?.pair ?? -1;

/** Index of the bracket around a token; -1 at the top. */
export const around = (tokens: readonly Token[], at: number): number => tokens[at]?.around ?? -1;
