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

/**
 * Finds nesting that would exhaust a parser, in one pass over the text.
 * Guesses whether a slash is a division or a regular expression: the limits of the bundling process are the real protection, this is the fast answer.
 */
export function findNestingProblem(text: string): NestingProblem | undefined {
  const open: Open[] = [];
  let functions = 0;
  let unary = 0;
  let previous = "";
  let closedControl = false;
  let divisionsUntil = 0;

  const push = (kind: Open["kind"], body: boolean, control = false): void => {
    open.push({ kind, body, control });
    if (body) functions += 1;
  };
  const pop = (): Open | undefined => {
    const last = open.pop();
    if (last?.body) functions -= 1;
    return last;
  };
  const endArrows = (): void => {
    while (open.at(-1)?.kind === "=>") pop();
  };
  const problem = (at: number): NestingProblem | undefined => {
    if (open.length > nestingLimits.brackets) return tooDeep("brackets", nestingLimits.brackets, at);
    if (functions > nestingLimits.functions) return tooDeep("functions", nestingLimits.functions, at);
    if (unary > nestingLimits.unary) return tooDeep("unary operators", nestingLimits.unary, at);
    return undefined;
  };

  for (let index = 0; index < text.length;) {
    const character = text.charAt(index);
    if (character === "\n" || character === "\r") {
      // Without semicolons a line that ends in a value ends the arrow function; one that ends in an operator goes on.
      if (previous === "word" || previous === "value" || previous === ")" || previous === "}") endArrows();
      index += 1;
    } else if (character === " " || character === "\t") {
      index += 1;
    } else if (character === "/" && text[index + 1] === "/") {
      index = lineEnd(text, index);
    } else if (character === "/" && text[index + 1] === "*") {
      const end = text.indexOf("*/", index + 2);
      index = end < 0 ? text.length : end + 2;
    } else if (character === '"' || character === "'") {
      index = stringEnd(text, index, character);
      previous = "value";
    } else if (character === "`") {
      const part = templatePart(text, index + 1);
      if (part.substitution) push("${", false);
      previous = part.substitution ? "operator" : "value";
      index = part.end;
    } else if (character === "/" && index >= divisionsUntil && startsExpression(previous, closedControl)) {
      const { end, closed } = regularExpression(text, index);
      // The rest of a line without an end is not scanned again from its next slash.
      if (!closed) divisionsUntil = end;
      index = closed ? end : index + 1;
      previous = closed ? "value" : "operator";
    } else if (character === "=" && text[index + 1] === ">") {
      push("=>", true);
      previous = "=>";
      index += 2;
    } else if (character === "(" || character === "[" || character === "{") {
      const control = character === "(" && previous === "control";
      if (character === "{" && previous === "=>") {
        // The body replaces the open arrow: its end ends the function.
        pop();
        push("{", true);
      } else {
        push(character, character === "{" && previous === ")" && !closedControl, control);
      }
      previous = "operator";
      index += 1;
    } else if (character === ")" || character === "]" || character === "}") {
      endArrows();
      const last = pop();
      closedControl = last?.control ?? false;
      previous = character;
      index += 1;
      if (character === "}" && last?.kind === "${") {
        const part = templatePart(text, index);
        if (part.substitution) push("${", false);
        previous = part.substitution ? "operator" : "value";
        index = part.end;
      }
    } else if (wordStart.test(character)) {
      token.lastIndex = index;
      const word = token.exec(text)?.[0] ?? character;
      previous = controlWords.has(word) ? "control" : operatorWords.has(word) ? "operator" : "word";
      index += word.length;
      unary = 0;
      continue;
    } else if (character >= "0" && character <= "9") {
      token.lastIndex = index;
      index += token.exec(text)?.[0].length ?? 1;
      previous = "value";
    } else {
      if (character === ";" || character === ",") endArrows();
      const isUnary = character === "!" || character === "~" || character === "-" || character === "+";
      unary = isUnary && previous !== "word" && previous !== "value" ? unary + 1 : 0;
      previous = "operator";
      index += 1;
      const found = isUnary ? problem(index) : undefined;
      if (found) return found;
      continue;
    }
    if (character.trim() !== "" && character !== "/") unary = 0;
    const found = problem(index);
    if (found) return found;
  }
  return undefined;
}

/** The problem that ends right before that index. */
const tooDeep = (what: string, limit: number, at: number): NestingProblem => ({
  message: `the code nests ${what} more than ${limit} levels deep`,
  at: at - 1,
});

const startsExpression = (previous: string, closedControl: boolean): boolean =>
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
