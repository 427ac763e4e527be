import type { TraceMap } from "@jridgewell/trace-mapping";
import { LRUCache } from "lru-cache";

import { createBudget, type Budget } from "@x/model";
import { bundleFile, type SourcePosition, positionsOf } from "../bundle/stack.ts";
import { stepsOfMap } from "../bundle/map-steps.ts";
import { sourceMaps } from "../bundle/source-maps.ts";
import { lineAt, lineStarts } from "./line-starts.ts";
import { type Token, tokenAt, tokensOf } from "./tokens.ts";

/** A position in a file of the author, with the file's tokens. */
export interface CodePoint {
  readonly position: SourcePosition;
  readonly tokens: readonly Token[];
  /** Index of the token at the position. */
  readonly at: number;
}

/** The author's files of a bundle, parsed on demand, for one report. Files that its budget does not suffice for are left out. */
export interface AuthorSource {
  readonly budget: Budget;
  readonly map: TraceMap;
  /** The text of a file of the author. */
  textOf(source: string): string | undefined;
  /** Positions of the stack frames that are in the component, innermost first. */
  positions(stack: string): readonly SourcePosition[];
  /** Undefined for files of packages. */
  point(position: SourcePosition): CodePoint | undefined;
  /** All files of the author. */
  files(): readonly { readonly source: string; readonly tokens: readonly Token[] }[];
  /** `file:line:column` of a token. */
  positionOf(source: string, token: Token): string;
  /** Names of the functions that the author declares as async. */
  asyncNames(): ReadonlySet<string>;
}

interface File {
  readonly tokens: readonly Token[];
  /** Offset of each line. */
  readonly lines: readonly number[];
  readonly asyncNames: readonly string[];
}

/** Splitting a file into tokens, per character. */
const stepsPerChar = 16;
const emptyMap = { version: 3, sources: [], names: [], mappings: "" } as const;

function readFile(text: string): File {
  const tokens = tokensOf(text);
  return { tokens, lines: lineStarts(text), asyncNames: asyncNamesIn(tokens) };
}

/** `f` of `async f()`, `async function f()` and `f = async …`. */
function asyncNamesIn(tokens: readonly Token[]): string[] {
  const textAt = (at: number): string => tokens[at]?.text ?? "";
  return tokens.flatMap(({ text }, at) => {
    if (text !== "async") return [];
    const after = textAt(at + 1) === "function" ? [textAt(at + 1), textAt(at + 2)] : [textAt(at + 1)];
    return ["=", ":"].includes(textAt(at - 1)) ? [...after, textAt(at - 2)] : after;
  });
}

/** The files of a source map that were read. */
interface ReadMap {
  readonly map: TraceMap;
  readonly files: Map<string, File | undefined>;
}

function authorSource({ map, files }: ReadMap, budget: Budget, bundle: string): AuthorSource {
  const textOf = (source: string): string | undefined => map.sourcesContent?.[map.sources.indexOf(source)] ?? undefined;
  const fileOf = (source: string): File | undefined => {
    if (files.has(source)) return files.get(source);
    const text = textOf(source);
    if (text !== undefined && !budget.take(text.length * stepsPerChar)) return undefined;
    const found = text === undefined ? undefined : readFile(text);
    files.set(source, found);
    return found;
  };
  const names = map.sources.filter((source) => source !== null);
  return {
    map,
    budget,
    textOf,
    positions: (stack) => positionsOf(stack, map, bundle),
    point(position) {
      const found = fileOf(position.source);
      const line = found?.lines[position.line - 1];
      if (!found || line === undefined) return undefined;
      const at = tokenAt(found.tokens, line + position.column - 1);
      return at < 0 ? undefined : { position, tokens: found.tokens, at };
    },
    files: () =>
      names.flatMap((source) => {
        const found = fileOf(source);
        return found ? [{ source, tokens: found.tokens }] : [];
      }),
    positionOf(source, { start }) {
      const lines = fileOf(source)?.lines ?? [0];
      const line = lineAt(lines, start);
      return `${source}:${line + 1}:${start - (lines[line] ?? 0) + 1}`;
    },
    asyncNames: () => new Set(names.flatMap((source) => fileOf(source)?.asyncNames ?? [])),
  };
}

/** Cache size in characters of source maps; a parsed map takes about twenty times as many bytes. */
const cachedChars = 4 * 1024 * 1024;

/** Reads source maps for reports. */
export type AuthorSources = (sourceMap: string, budget?: Budget) => AuthorSource;

/** Caches recent source maps; the newest one whatever its size, because other texts of its run follow. */
export function createAuthorSources(file: string = bundleFile): AuthorSources {
  let known: LRUCache<string, ReadMap> | undefined;
  let newest: { readonly sourceMap: string; readonly read: ReadMap } | undefined;
  // Counting them takes a while, too.
  let measured: { readonly sourceMap: string; readonly steps: number } | undefined;
  // The key is the map, not the bundle: code that differs only in comments gives the same bundle with another map.
  return (sourceMap, budget = createBudget()) => {
    known ??= new LRUCache({ maxSize: cachedChars, sizeCalculation: (_, { length }) => length + 256 });
    let read = newest?.sourceMap === sourceMap ? newest.read : known.get(sourceMap);
    if (!read) {
      if (measured?.sourceMap !== sourceMap) measured = { sourceMap, steps: stepsOfMap(sourceMap) };
      const fits = budget.take(measured.steps);
      read = { map: new (sourceMaps().TraceMap)(fits ? sourceMap : { ...emptyMap }), files: new Map() };
      if (!fits) return authorSource(read, budget, file);
      known.set(sourceMap, read);
    }
    newest = { sourceMap, read };
    return authorSource(read, budget, file);
  };
}
