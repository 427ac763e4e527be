import type { AnyNode } from "acorn";

import { childrenOf, findTree } from "../imports/syntax-tree.ts";

/** Maximum nesting of each kind: far beyond real code, far below what overflows a parser. */
export const nestingLimits: { readonly brackets: number; readonly functions: number; readonly unary: number } =
  Object.freeze({ brackets: 1_000, functions: 256, unary: 1_000 });

export interface NestingProblem {
  readonly message: string;
  /** Index into the text. */
  readonly at: number;
}

/** One open bracket; an arrow function with an expression body is open until its surroundings end. */
interface Open {
  readonly kind: "(" | "[" | "{" | "${" | "=>";
  /** Is what it encloses the body of a function? */
  readonly body: boolean;
  /** `if (`, `while (` …: a slash after its end starts a regular expression, a brace a block. */
  readonly control: boolean;
}

const controlWords = new Set(["if", "while", "for", "with", "switch", "catch"]);
const operatorWords = new Set(
  "return typeof instanceof in of new delete void throw case do else yield await export default".split(" "),
);
const wordStart = /[\p{ID_Start}$_\\#]/u;
const token = /[\p{ID_Continue}$\\#]+/uy;

/** The text up to an index. */
interface Scan {
  readonly text: string;
  index: number;
  readonly open: Open[];
  /** Open functions. */
  functions: number;
  /** Unary operators in a row. */
  unary: number;
  /** The kind of the last token; a bracket that closes is its own kind. */
  previous: string;
  /** Did the last closed bracket belong to `if (`, `while (` …? */
  closedControl: boolean;
  /** Up to this index a slash starts no regular expression. */
  divisionsUntil: number;
}

/**
 * Finds nesting that would exhaust a parser, in one pass over the text.
 * Guesses whether a slash is a division or a regular expression: the limits of the bundling process are the real protection, this is the fast answer.
 */
export function findNestingProblem(text: string): NestingProblem | undefined {
  const state = { index: 0, functions: 0, unary: 0, previous: "", closedControl: false, divisionsUntil: 0 };
  const scan: Scan = { ...state, text, open: [] };
  while (scan.index < text.length) {
    if (!skip(scan)) read(scan);
    if (scan.open.length > nestingLimits.brackets) return tooDeep("brackets", nestingLimits.brackets, scan.index);
    if (scan.functions > nestingLimits.functions) return tooDeep("functions", nestingLimits.functions, scan.index);
    if (scan.unary > nestingLimits.unary) return tooDeep("unary operators", nestingLimits.unary, scan.index);
  }
  return undefined;
}

/** Skips a blank, a line break or a comment; false where none is. */
function skip(scan: Scan): boolean {
  const { text, index, previous } = scan;
  const character = text.charAt(index);
  if (character === "\n" || character === "\r") {
    // Without semicolons a line that ends in a value ends the arrow function; one that ends in an operator goes on.
    if (["word", "value", ")", "}"].includes(previous)) endArrows(scan);
    scan.index += 1;
  } else if (character === " " || character === "\t") {
    scan.index += 1;
  } else if (text.startsWith("//", index)) {
    scan.index = lineEnd(text, index);
  } else if (text.startsWith("/*", index)) {
    const end = text.indexOf("*/", index + 2);
    scan.index = end < 0 ? text.length : end + 2;
  } else {
    return false;
  }
  return true;
}

/** Reads one token. */
function read(scan: Scan): void {
  const { text, index, previous } = scan;
  const character = text.charAt(index);
  if (character === "/" && index >= scan.divisionsUntil && startsExpression(scan)) return readRegularExpression(scan);
  const isUnary = "!~-+".includes(character) && previous !== "word" && previous !== "value";
  scan.unary = isUnary ? scan.unary + 1 : 0;
  switch (character) {
    case '"':
    case "'":
      return advance(scan, stringEnd(text, index, character), "value");
    case "`":
      return readTemplate(scan, index + 1);
    case "(":
    case "[":
    case "{":
      return readOpening(scan, character);
    case ")":
    case "]":
    case "}":
      return readClosing(scan, character);
    case ";":
    case ",":
      endArrows(scan);
      return advance(scan, index + 1, "operator");
  }
  if (text.startsWith("=>", index)) {
    push(scan, "=>", true);
    return advance(scan, index + 2, "=>");
  }
  if (character >= "0" && character <= "9") return advance(scan, index + tokenAt(text, index).length, "value");
  if (!wordStart.test(character)) return advance(scan, index + 1, "operator");
  const word = tokenAt(text, index);
  const kind = controlWords.has(word) ? "control" : operatorWords.has(word) ? "operator" : "word";
  advance(scan, index + word.length, kind);
}

function advance(scan: Scan, index: number, previous: string): void {
  scan.index = index;
  scan.previous = previous;
}

function push(scan: Scan, kind: Open["kind"], body: boolean, control = false): void {
  scan.open.push({ kind, body, control });
  if (body) scan.functions += 1;
}

function pop(scan: Scan): Open | undefined {
  const last = scan.open.pop();
  if (last?.body) scan.functions -= 1;
  return last;
}

function endArrows(scan: Scan): void {
  while (scan.open.at(-1)?.kind === "=>") pop(scan);
}

function tokenAt(text: string, index: number): string {
  token.lastIndex = index;
  return token.exec(text)?.[0] ?? text.charAt(index);
}

function readOpening(scan: Scan, bracket: "(" | "[" | "{"): void {
  const { previous, closedControl } = scan;
  const isArrowBody = bracket === "{" && previous === "=>";
  // The body replaces the open arrow: its end ends the function.
  if (isArrowBody) pop(scan);
  const body = isArrowBody || (bracket === "{" && previous === ")" && !closedControl);
  push(scan, bracket, body, bracket === "(" && previous === "control");
  advance(scan, scan.index + 1, "operator");
}

function readClosing(scan: Scan, bracket: string): void {
  endArrows(scan);
  const last = pop(scan);
  scan.closedControl = last?.control ?? false;
  advance(scan, scan.index + 1, bracket);
  if (bracket === "}" && last?.kind === "${") readTemplate(scan, scan.index);
}

function readTemplate(scan: Scan, from: number): void {
  const { end, substitution } = templatePart(scan.text, from);
  if (substitution) push(scan, "${", false);
  advance(scan, end, substitution ? "operator" : "value");
}

function readRegularExpression(scan: Scan): void {
  const { end, closed } = regularExpression(scan.text, scan.index);
  // The rest of a line without an end is not scanned again from its next slash.
  if (!closed) scan.divisionsUntil = end;
  advance(scan, closed ? end : scan.index + 1, closed ? "value" : "operator");
}

/** The problem that ends right before that index. */
const tooDeep = (what: string, limit: number, at: number): NestingProblem => ({
  message: `the code nests ${what} more than ${limit} levels deep`,
  at: at - 1,
});

const startsExpression = ({ previous, closedControl }: Scan): boolean =>
  previous === ")" ? closedControl : previous !== "word" && previous !== "value" && previous !== "]";

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

/** The index after a string; an unfinished one ends with its line, as a parser would report it there. */
function stringEnd(text: string, start: number, quote: string): number {
  for (let index = start + 1; index < text.length; index += 1) {
    const character = text[index];
    if (character === "\\") index += 1;
    else if (character === quote) return index + 1;
    else if (character === "\n") return index;
  }
  return text.length;
}

/** The end of a regular expression, which must be in the same line. */
function regularExpression(text: string, start: number): { end: number; closed: boolean } {
  let inClass = false;
  for (let index = start + 1; index < text.length; index += 1) {
    const character = text[index];
    if (character === "\n" || character === "\r") return { end: index, closed: false };
    if (character === "\\") index += 1;
    else if (character === "[") inClass = true;
    else if (character === "]") inClass = false;
    else if (character === "/" && !inClass) return { end: index + 1, closed: true };
  }
  return { end: text.length, closed: false };
}

function templatePart(text: string, from: number): { end: number; substitution: boolean } {
  for (let index = from; index < text.length; index += 1) {
    const character = text[index];
    if (character === "\\") index += 1;
    else if (character === "`") return { end: index + 1, substitution: false };
    else if (character === "$" && text[index + 1] === "{") return { end: index + 2, substitution: true };
  }
  return { end: text.length, substitution: false };
}

/** Confirms a guessed problem with a parser. */
export function checkNesting(text: string): NestingProblem | undefined {
  const guess = findNestingProblem(text);
  const tree = guess && findTree(text);
  // Code that this parser accepts overflows no other parser; nested functions cost more than parsing.
  return tree ? findDeepFunction(tree) : guess;
}

function findDeepFunction(tree: AnyNode): NestingProblem | undefined {
  const open: { readonly node: AnyNode; readonly functions: number }[] = [{ node: tree, functions: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { node } = next;
    const functions = next.functions + ("params" in node ? 1 : 0);
    if (functions > nestingLimits.functions) return tooDeep("functions", nestingLimits.functions, node.start + 1);
    for (const child of childrenOf(node)) open.push({ node: child, functions });
  }
  return undefined;
}
