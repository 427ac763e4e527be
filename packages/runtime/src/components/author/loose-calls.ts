import type { AuthorSource } from "./author-source.ts";
import { callText, chainStart, isCallee } from "./chain.ts";
import { outcomeOf } from "./call-outcome.ts";
import { closeOf, enclosing, openOf, type Token } from "./tokens.ts";

/** A call that was not awaited. */
export interface LooseCall {
  readonly call: string;
  /** `file:line:column`. */
  readonly position: string;
}

type IsWanted = (tokens: readonly Token[], at: number) => boolean;

const deepest = 8;
const branches: readonly string[] = ["if", "for", "while", "switch", "catch", "with"];
const textAt = (tokens: readonly Token[], at: number): string => tokens[at]?.text ?? "";

/** Index of the bracket that ends the parameters of the function whose body begins at `at`; TypeScript types may come between. */
function parametersEnd(tokens: readonly Token[], at: number): number {
  const limit = Math.max(0, at - 40);
  for (let index = at - 1; index >= limit; index--) {
    const text = textAt(tokens, index);
    if (text === ")") return index;
    if (text === ";" || text === "{" || text === "(" || text === "=") return -1;
  }
  return -1;
}

/** The name of the innermost named function around a token. */
export function functionName(tokens: readonly Token[], at: number): string | undefined {
  for (let open = enclosing(tokens, at); open >= 0; open = enclosing(tokens, open)) {
    if (textAt(tokens, open) !== "{") continue;
    const isArrow = textAt(tokens, open - 1) === "=>";
    const end = isArrow ? open - 2 : parametersEnd(tokens, open);
    if (end < 0) continue;
    const start = textAt(tokens, end) === ")" ? openOf(tokens, end) : end;
    let before = start - 1;
    if (isArrow && textAt(tokens, before) === "async") before -= 1;
    if (["=", ":"].includes(textAt(tokens, before))) before -= 1;
    else if (isArrow) continue;
    if (textAt(tokens, before) === "function") before -= 1;
    if (["=", ":"].includes(textAt(tokens, before))) before -= 1;
    const name = tokens[before];
    if (name?.isWord && !branches.includes(name.text)) return name.text;
  }
  return undefined;
}

/** True for a call, false for a declaration. */
function isCallAt(tokens: readonly Token[], at: number): boolean {
  if (textAt(tokens, at + 1) !== "(" || textAt(tokens, at - 1) === "function") return false;
  return !["{", ":"].includes(textAt(tokens, closeOf(tokens, at + 1) + 1));
}

/** The first wanted call that was not awaited; for an awaited one, searches for calls of the function around it. */
function findLoose(source: AuthorSource, isWanted: IsWanted, depth = 0): LooseCall | undefined {
  const callers = new Set<string>();
  for (const { source: file, tokens } of source.files()) {
    for (const [at, token] of tokens.entries()) {
      if (!token.isWord || !isCallAt(tokens, at) || !isWanted(tokens, at)) continue;
      const outcome = outcomeOf(tokens, at);
      const call = outcome === "dropped" ? callText(tokens, at) : undefined;
      if (call !== undefined) return { call, position: source.positionOf(file, token) };
      const name = outcome === "awaited" || outcome === "returned" ? functionName(tokens, at) : undefined;
      if (name !== undefined) callers.add(name);
    }
  }
  if (depth >= deepest) return undefined;
  for (const name of callers) {
    const found = findLoose(source, (tokens, at) => textAt(tokens, at) === name, depth + 1);
    if (found) return found;
  }
  return undefined;
}

/** The call of the author's function that was not awaited. */
export const looseCallOf = (source: AuthorSource, name: string): LooseCall | undefined =>
  findLoose(source, (tokens, at) => textAt(tokens, at) === name);

/** Names in an author's file for a package or its exports. */
function namesOf(tokens: readonly Token[], packageName: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [at, { text }] of tokens.entries()) {
    const specifier = /^["'](.*)["']$/.exec(text)?.[1];
    if (
      specifier !== packageName &&
      !specifier?.startsWith(`${packageName}/`) &&
      !specifier?.startsWith(`${packageName}@`)
    )
      continue;
    const isRequire = textAt(tokens, at - 2) === "require";
    if (!isRequire && textAt(tokens, at - 1) !== "from") continue;
    for (let index = at - (isRequire ? 3 : 2); index >= 0; index--) {
      const token = tokens[index];
      if (!token || ["import", "const", "let", "var", ";"].includes(token.text)) break;
      if (token.isWord) names.add(token.text);
    }
  }
  return names;
}

/** The call of a package that was not awaited. */
export function looseCallOfPackage(source: AuthorSource, packageName: string): LooseCall | undefined {
  const known = new Map<readonly Token[], ReadonlySet<string>>();
  return findLoose(source, (tokens, at) => {
    const names = known.get(tokens) ?? namesOf(tokens, packageName);
    known.set(tokens, names);
    return names.size > 0 && isCallee(tokens, at) && names.has(textAt(tokens, chainStart(tokens, at)));
  });
}

/** `axios` of `axios/lib/axios.js`. */
export const packageOf = (file: string): string => file.split("/", file.startsWith("@") ? 2 : 1).join("/");

/** The only call of a package in the author's code, as in a stack: `name (file:line:column)`; undefined for several. */
export function onlyCallOfPackage(source: AuthorSource, packageName: string): string | undefined {
  const found: string[] = [];
  for (const { source: file, tokens } of source.files()) {
    const names = namesOf(tokens, packageName);
    if (names.size === 0) continue;
    for (const [at, token] of tokens.entries()) {
      if (!token.isWord || !isCallAt(tokens, at) || !names.has(textAt(tokens, chainStart(tokens, at)))) continue;
      const name = functionName(tokens, at);
      const position = source.positionOf(file, token);
      found.push(name === undefined ? position : `${name} (${position})`);
    }
  }
  return found.length === 1 ? found[0] : undefined;
}
