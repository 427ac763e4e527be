import { pairOf, type Token } from "./tokens.ts";

const dots: readonly string[] = [".", "?."];
/** Words before a bracket that is not a call. */
const statementWords: readonly string[] = [
  "if",
  "while",
  "for",
  "switch",
  "catch",
  "return",
  "await",
  "yield",
  "typeof",
  "void",
  "delete",
  "throw",
  "new",
  "in",
  "of",
  "case",
  "do",
  "else",
  "with",
];
/** Words whose bracket holds a condition, not parameters. */
export const branches: readonly string[] = ["if", "for", "while", "switch", "catch", "with"];
const longest = 80;
/** Longer chains are read from their end. */
const maxMembers = 100;
/** What finding the start of a chain takes of a budget. */
export const stepsPerChain = 50;

const textAt = (tokens: readonly Token[], at: number): string => tokens[at]?.text ?? "";

/** True when a call or an index may follow the token. */
export function isCallee(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (!token) return false;
  if (token.text === ")") return !branches.includes(textAt(tokens, pairOf(tokens, at) - 1));
  if (token.text === "]") return true;
  return token.isWord && (!statementWords.includes(token.text) || dots.includes(textAt(tokens, at - 1)));
}

/** The start of the chain of members and calls that ends with the token at `at`: `this.github.list().map`. */
export function chainStart(tokens: readonly Token[], at: number): number {
  let start = at;
  for (let steps = 0; steps < maxMembers; steps += 1) {
    const text = textAt(tokens, start);
    const open = pairOf(tokens, start);
    if (text === "`" && open >= 0 && open < start) start = open;
    if (text === ")" || text === "]") {
      if (open < 0) return start;
      start = open;
      if (!isCallee(tokens, open - 1)) return start;
      start = open - 1;
      continue;
    }
    if (!dots.includes(textAt(tokens, start - 1)) || start < 2) return start;
    start -= 2;
  }
  return start;
}

/** The end of the chain with the members that follow. */
export function memberEnd(tokens: readonly Token[], at: number): number {
  let end = at;
  for (let steps = 0; steps < maxMembers; steps += 1) {
    if (!dots.includes(textAt(tokens, end + 1)) || !tokens[end + 2]?.isWord) return end;
    end += 2;
  }
  return end;
}

/** What is shown between two brackets: a single token, and of a function its first word. */
function insideText(tokens: readonly Token[], open: number, close: number): string {
  if (close === open + 1) return "";
  const first = textAt(tokens, open + 1);
  if (close === open + 2) return first;
  return first === "async" || first === "function" ? `${first} …` : "…";
}

/** The expression as written, without the contents of its brackets. */
export function chainText(tokens: readonly Token[], from: number, to: number): string {
  let text = "";
  for (let index = from; index <= to && text.length <= longest; index++) {
    const token = textAt(tokens, index);
    text += token;
    if (index === from && token === "new") text += " ";
    if (token !== "(" && token !== "[" && token !== "{") continue;
    const close = pairOf(tokens, index);
    if (close < 0 || close > to) return text;
    text += insideText(tokens, index, close) + textAt(tokens, close);
    index = close;
  }
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** The text for messages of the call whose callee ends at `at`; undefined when there is no call. */
export function callText(tokens: readonly Token[], at: number): string | undefined {
  const open = textAt(tokens, at + 1) === "?." ? at + 2 : at + 1;
  if (textAt(tokens, open) !== "(") return undefined;
  const close = pairOf(tokens, open);
  const start = chainStart(tokens, at);
  const from = textAt(tokens, start - 1) === "new" ? start - 1 : start;
  return `${chainText(tokens, from, at)}(${close === open + 1 ? "" : "…"})`;
}
