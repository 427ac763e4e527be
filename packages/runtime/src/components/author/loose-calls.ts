import type { AuthorSource } from "./author-source.ts";
import { callText, chainStart, isCallee } from "./chain.ts";
import { type Outcome, outcomeOf } from "./call-outcome.ts";
import { calledInPlace, functionAround } from "./function-around.ts";
import { closeOf, type Token } from "./tokens.ts";

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
  return !["{", ":"].includes(textAt(tokens, closeOf(tokens, at + 1) + 1));
}

/** The call whose callee ends at a token, with its position; undefined when there is no call. */
export function callAt(source: AuthorSource, { file, tokens, at }: TokenPlace): LooseCall | undefined {
  const call = callText(tokens, at);
  const token = tokens[textAt(tokens, at) === ")" ? chainStart(tokens, at) : at];
  return call === undefined || !token ? undefined : { call, position: source.positionOf(file, token) };
}

/** The first wanted call that was not awaited; for an awaited one, searches for calls of the function around it. */
function findLoose(source: AuthorSource, isWanted: IsWanted, seen: Set<string>): LooseCall | undefined {
  const awaited: TokenPlace[] = [];
  for (const { source: file, tokens } of source.files()) {
    for (const [at, token] of tokens.entries()) {
      if (!token.isWord || !isCallAt(tokens, at) || !isWanted(tokens, at)) continue;
      const outcome = outcomeOf(tokens, at);
      const found = outcome === "dropped" ? callAt(source, { file, tokens, at }) : undefined;
      if (found) return found;
      if (waited.includes(outcome)) awaited.push({ file, tokens, at });
    }
  }
  for (const place of awaited) {
    const found = looseCallAround(source, place, seen);
    if (found) return found;
  }
  return undefined;
}

/** The call that was not awaited of the function around a token. `seen`: names whose calls were searched for. */
export function looseCallAround(
  source: AuthorSource,
  place: TokenPlace,
  seen: Set<string> = new Set(),
): LooseCall | undefined {
  const { tokens } = place;
  for (let around = functionAround(tokens, place.at); around; around = functionAround(tokens, around.first)) {
    const at = calledInPlace(tokens, around);
    const { name } = around;
    if (at === undefined) {
      if (name === undefined || seen.has(name)) return undefined;
      seen.add(name);
      return findLoose(source, (others, index) => textAt(others, index) === name, seen);
    }
    const outcome = outcomeOf(tokens, at);
    if (!waited.includes(outcome)) return outcome === "raced" ? undefined : callAt(source, { ...place, at });
  }
  return undefined;
}

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
  return findLoose(
    source,
    (tokens, at) => {
      const names = known.get(tokens) ?? namesOf(tokens, packageName);
      known.set(tokens, names);
      return names.size > 0 && isCallee(tokens, at) && names.has(textAt(tokens, chainStart(tokens, at)));
    },
    new Set(),
  );
}

/** The name of the innermost named function around a token. */
function namedAround(tokens: readonly Token[], at: number): string | undefined {
  let around = functionAround(tokens, at);
  while (around && around.name === undefined) around = functionAround(tokens, around.first);
  return around?.name;
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
      const name = namedAround(tokens, at);
      const position = source.positionOf(file, token);
      found.push(name === undefined ? position : `${name} (${position})`);
    }
  }
  return found.length === 1 ? found[0] : undefined;
}
