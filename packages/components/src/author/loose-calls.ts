import type { Budget } from "@x/model";
import type { AuthorSource } from "./author-source.ts";
import { callText, chainStart, isCallee, stepsPerChain } from "./chain.ts";
import { type Outcome, outcomeOf } from "./call-outcome.ts";
import { calledInPlace, functionAround } from "./function-around.ts";
import { pairOf, type Token } from "./tokens.ts";

/** A call that was not awaited. */
export interface LooseCall {
  readonly call: string;
  /** `file:line:column`. */
  readonly position: string;
}

type IsWanted = (tokens: readonly Token[], at: number) => boolean;

/** A token of an author's file. */
export interface TokenPlace {
  /** The name of the file. */
  readonly file: string;
  readonly tokens: readonly Token[];
  readonly at: number;
}

const waited: readonly Outcome[] = ["awaited", "returned"];
const textAt = (tokens: readonly Token[], at: number): string => tokens[at]?.text ?? "";

/** True for a call, false for a declaration. */
function isCallAt(tokens: readonly Token[], at: number): boolean {
  if (textAt(tokens, at + 1) !== "(" || textAt(tokens, at - 1) === "function") return false;
  return !["{", ":"].includes(textAt(tokens, pairOf(tokens, at + 1) + 1));
}

/** The call whose callee ends at a token, with its position; undefined when there is no call. */
export function callAt(source: AuthorSource, { file, tokens, at }: TokenPlace): LooseCall | undefined {
  const call = callText(tokens, at);
  const token = tokens[textAt(tokens, at) === ")" ? chainStart(tokens, at) : at];
  return call === undefined || !token ? undefined : { call, position: source.positionOf(file, token) };
}

/** What the innermost function around a token leads to: a call where it is written that was not awaited, or its name. */
function callerOf(source: AuthorSource, place: TokenPlace): LooseCall | string | undefined {
  const { budget } = source;
  const { tokens } = place;
  let inner = functionAround(tokens, place.at, budget);
  for (; inner; inner = functionAround(tokens, inner.first, budget)) {
    const at = calledInPlace(tokens, inner, budget);
    if (at === undefined) return inner.name;
    const outcome = outcomeOf(tokens, at, budget);
    if (!waited.includes(outcome)) return outcome === "raced" ? undefined : callAt(source, { ...place, at });
  }
  return undefined;
}

/** The first wanted call that was not awaited; for awaited ones, that of the functions around them, or their names. */
function searchCalls(source: AuthorSource, isWanted: IsWanted): LooseCall | Set<string> {
  const { budget } = source;
  const awaited: TokenPlace[] = [];
  for (const { source: file, tokens } of source.files()) {
    if (!budget.take(tokens.length)) return new Set();
    for (const [at, token] of tokens.entries()) {
      if (!token.isWord || !isCallAt(tokens, at) || !isWanted(tokens, at)) continue;
      const outcome = outcomeOf(tokens, at, budget);
      const found = outcome === "dropped" ? callAt(source, { file, tokens, at }) : undefined;
      if (found) return found;
      if (waited.includes(outcome)) awaited.push({ file, tokens, at });
    }
  }
  const names = new Set<string>();
  for (const place of awaited) {
    const caller = callerOf(source, place);
    if (typeof caller === "object") return caller;
    if (caller !== undefined) names.add(caller);
  }
  return names;
}

/** The nearest wanted call that was not awaited: for awaited ones, searches for calls of the functions around them. */
function findLoose(source: AuthorSource, isWanted: IsWanted): LooseCall | undefined {
  const seen = new Set<string>();
  let found = searchCalls(source, isWanted);
  while (found instanceof Set) {
    const names = new Set([...found].filter((name) => !seen.has(name)));
    if (names.size === 0) return undefined;
    for (const name of names) seen.add(name);
    found = searchCalls(source, (tokens, at) => names.has(textAt(tokens, at)));
  }
  return found;
}

/** The call that was not awaited of the function around a token. */
export function looseCallAround(source: AuthorSource, place: TokenPlace): LooseCall | undefined {
  const caller = callerOf(source, place);
  if (typeof caller !== "string") return caller;
  return findLoose(source, (tokens, at) => textAt(tokens, at) === caller);
}

/** Names in an author's file for a package or its exports. */
function namesOf(tokens: readonly Token[], packageName: string, budget: Budget): ReadonlySet<string> {
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
      if (!token || !budget.take(1) || ["import", "const", "let", "var", ";"].includes(token.text)) break;
      if (token.isWord) names.add(token.text);
    }
  }
  return names;
}

/** The call of a package that was not awaited. */
export function looseCallOfPackage(source: AuthorSource, packageName: string): LooseCall | undefined {
  const known = new Map<readonly Token[], ReadonlySet<string>>();
  return findLoose(source, (tokens, at) => {
    const names = known.get(tokens) ?? namesOf(tokens, packageName, source.budget);
    known.set(tokens, names);
    if (names.size === 0 || !isCallee(tokens, at) || !source.budget.take(stepsPerChain)) return false;
    return names.has(textAt(tokens, chainStart(tokens, at)));
  });
}

/** The name of the innermost named function around a token. */
function namedAround(tokens: readonly Token[], at: number, budget: Budget): string | undefined {
  let inner = functionAround(tokens, at, budget);
  while (inner && inner.name === undefined) inner = functionAround(tokens, inner.first, budget);
  return inner?.name;
}

/** `axios` of `axios/lib/axios.js`. */
export const packageOf = (file: string): string => file.split("/", file.startsWith("@") ? 2 : 1).join("/");

/** The only call of a package in the author's code, as in a stack: `name (file:line:column)`; undefined for several. */
export function onlyCallOfPackage(source: AuthorSource, packageName: string): string | undefined {
  const { budget } = source;
  let found: string | undefined;
  for (const { source: file, tokens } of source.files()) {
    const names = budget.take(tokens.length) ? namesOf(tokens, packageName, budget) : new Set();
    if (names.size === 0) continue;
    for (const [at, token] of tokens.entries()) {
      if (!token.isWord || !isCallAt(tokens, at)) continue;
      if (!budget.take(stepsPerChain)) return undefined;
      if (!names.has(textAt(tokens, chainStart(tokens, at)))) continue;
      if (found !== undefined) return undefined;
      const name = namedAround(tokens, at, budget);
      const position = source.positionOf(file, token);
      found = name === undefined ? position : `${name} (${position})`;
    }
  }
  return budget.take(0) ? found : undefined;
}
