import type { Budget } from "@x/model";
import { branches, isCallee, memberEnd } from "./chain.ts";
import { around, pairOf, type Token } from "./tokens.ts";

/** The tokens of a function, from its first word or bracket to the end of its body. */
interface FunctionTokens {
  readonly first: number;
  readonly last: number;
  /** Its own name, or that of the variable or member which it is the value of. */
  readonly name: string | undefined;
  readonly isAsync: boolean;
}

const textAt = (tokens: readonly Token[], at: number): string => tokens[at]?.text ?? "";

/** How far a return type is searched for its parameters, or type parameters for their beginning. */
const maxTypeTokens = 40;
/** What reading a bracket around a function takes of a budget. */
const stepsPerBracket = 5;
/** What reading another token takes of it. */
const stepsPerToken = 2;

/** Index of the bracket that ends the parameters before a function's body or arrow; a type may come between. */
function parametersEnd(tokens: readonly Token[], at: number): number {
  for (let index = at - 1; index >= Math.max(0, at - maxTypeTokens); index--) {
    const text = textAt(tokens, index);
    if (text === ")") return index === at - 1 || textAt(tokens, index + 1) === ":" ? index : -1;
    if (text === ";" || text === "{" || text === "(" || text === "=") return -1;
  }
  return -1;
}

/** Index before the type parameters that end at `at`. */
function beforeTypeParameters(tokens: readonly Token[], at: number): number {
  if (textAt(tokens, at) !== ">") return at;
  for (let index = at - 1, depth = 1; index >= Math.max(0, at - maxTypeTokens); index--) {
    if (textAt(tokens, index) === ">") depth += 1;
    else if (textAt(tokens, index) === "<" && --depth === 0) return index - 1;
  }
  return at;
}

/** The name of the variable or member that has the value which begins after `at`. */
function assignedName(tokens: readonly Token[], at: number): string | undefined {
  const name = tokens[at - 1];
  return ["=", ":"].includes(textAt(tokens, at)) && name?.isWord ? name.text : undefined;
}

/** The arrow function with this arrow. */
function arrowFunction(tokens: readonly Token[], arrow: number, last: number): FunctionTokens {
  const end = parametersEnd(tokens, arrow);
  const parameters = end < 0 ? arrow - 1 : pairOf(tokens, end);
  const begin = beforeTypeParameters(tokens, parameters - 1) + 1;
  const isAsync = textAt(tokens, begin - 1) === "async";
  const first = isAsync ? begin - 1 : begin;
  return { first, last, name: assignedName(tokens, first - 1), isAsync };
}

/** The function or method with this body; undefined for the body of a statement, and for an object. */
function bodiedFunction(tokens: readonly Token[], body: number): FunctionTokens | undefined {
  const last = pairOf(tokens, body);
  if (textAt(tokens, body - 1) === "=>") return arrowFunction(tokens, body - 1, last);
  const end = parametersEnd(tokens, body);
  if (end < 0) return undefined;
  let first = beforeTypeParameters(tokens, pairOf(tokens, end) - 1);
  const own = tokens[first];
  if (own && branches.includes(own.text)) return undefined;
  const hasName = own?.isWord === true && own.text !== "function";
  if (textAt(tokens, first - 1) === "*") first -= 1;
  if (textAt(tokens, first - 1) === "function") first -= 1;
  const isAsync = textAt(tokens, first - 1) === "async";
  if (isAsync) first -= 1;
  return { first, last, name: hasName ? own.text : assignedName(tokens, first - 1), isAsync };
}

/** The arrow of the function without braces that a token is in, between a bracket and the token. */
function bareArrow(tokens: readonly Token[], open: number, at: number, budget: Budget): number | undefined {
  for (let index = at - 1; index > open && budget.take(stepsPerToken); index--) {
    const text = textAt(tokens, index);
    if (text === "," || text === ";") return undefined;
    if (text === "=>" && textAt(tokens, index + 1) !== "{") return index;
    if (text === ")" || text === "]" || text === "}") index = pairOf(tokens, index);
    if (index < 0) return undefined;
  }
  return undefined;
}

/** The last token of an expression: a comma, a semicolon or a bracket ends it. */
function expressionEnd(tokens: readonly Token[], from: number, budget: Budget): number {
  for (let index = from; index < tokens.length && budget.take(stepsPerToken); index++) {
    const text = textAt(tokens, index);
    if ([",", ";", ")", "]", "}"].includes(text)) return index - 1;
    if (text === "(" || text === "[" || text === "{" || text === "${") index = pairOf(tokens, index);
    if (index < 0) break;
  }
  return tokens.length - 1;
}

/** The innermost function around a token. */
export function functionAround(tokens: readonly Token[], at: number, budget: Budget): FunctionTokens | undefined {
  for (let inner = at; inner >= 0 && budget.take(maxTypeTokens);) {
    const open = around(tokens, inner);
    const arrow = bareArrow(tokens, open, inner, budget);
    if (arrow !== undefined) return arrowFunction(tokens, arrow, expressionEnd(tokens, arrow + 1, budget));
    const found = textAt(tokens, open) === "{" ? bodiedFunction(tokens, open) : undefined;
    if (found) return found;
    inner = open;
  }
  return undefined;
}

/**
 * The end of the callee of the call that runs a function where it is written: `(async () => …)()`, `list.map(async (item) => …)`;
 * undefined for a function that is declared or stored.
 */
export function calledInPlace(
  tokens: readonly Token[],
  { first, last }: FunctionTokens,
  budget: Budget,
): number | undefined {
  let [from, to] = [first, last];
  while (textAt(tokens, from - 1) === "(" && textAt(tokens, to + 1) === ")" && !isCallee(tokens, from - 2)) {
    if (!budget.take(stepsPerBracket)) return undefined;
    [from, to] = [from - 1, to + 1];
  }
  const end = memberEnd(tokens, to);
  if (textAt(tokens, end + 1) === "(") return end;
  let open = around(tokens, from);
  while (textAt(tokens, open) === "[" && budget.take(stepsPerBracket)) open = around(tokens, open);
  return textAt(tokens, open) === "(" && isCallee(tokens, open - 1) ? open - 1 : undefined;
}
