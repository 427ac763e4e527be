import { TraceMap } from "@jridgewell/trace-mapping";
import { LRUCache } from "lru-cache";

import { bundleFile, type SourcePosition, positionsOf } from "../bundle/stack.ts";
import { type Token, tokenAt, tokensOf } from "./tokens.ts";

/** A position in a file of the author, with the file's tokens. */
export interface CodePoint {
  readonly position: SourcePosition;
  readonly tokens: readonly Token[];
  /** Index of the token at the position. */
  readonly at: number;
}

/** The author's files of a bundle, parsed on demand. */
export interface AuthorSource {
  readonly map: TraceMap;
  /** Positions of the stack frames that are in the component, innermost first. */
  positions(stack: string): readonly SourcePosition[];
  /** Undefined for files of packages. */
  point(position: SourcePosition): CodePoint | undefined;
  /** All files of the author. */
  files(): readonly { readonly source: string; readonly tokens: readonly Token[] }[];
  /** `line:column` of a token. */
  positionOf(source: string, token: Token): string;
}

interface File {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** Offset of each line. */
  readonly lines: readonly number[];
}

function readFile(text: string): File {
  const lines = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines.push(at + 1);
  return { text, tokens: tokensOf(text), lines };
}

function authorSource(sourceMap: string, file: string = bundleFile): AuthorSource {
  const map = new TraceMap(sourceMap);
  const files = new Map<string, File | undefined>();
  const fileOf = (source: string): File | undefined => {
    if (files.has(source)) return files.get(source);
    const text = map.sourcesContent?.[map.sources.indexOf(source)];
    const found = typeof text === "string" ? readFile(text) : undefined;
    files.set(source, found);
    return found;
  };
  return {
    map,
    positions: (stack) => positionsOf(stack, map, file),
    point(position) {
      const found = fileOf(position.source);
      const line = found?.lines[position.line - 1];
      if (!found || line === undefined) return undefined;
      const at = tokenAt(found.tokens, line + position.column - 1);
      return at < 0 ? undefined : { position, tokens: found.tokens, at };
    },
    files: () =>
      map.sources.flatMap((source) => {
        const found = source === null ? undefined : fileOf(source);
        return found && source !== null ? [{ source, tokens: found.tokens }] : [];
      }),
    positionOf(source, { start }) {
      const lines = fileOf(source)?.lines ?? [0];
      let line = lines.length;
      while (line > 1 && (lines[line - 1] ?? 0) > start) line -= 1;
      return `${source}:${line}:${start - (lines[line - 1] ?? 0) + 1}`;
    },
  };
}

/** Cache size in characters of source maps; a parsed map takes about twenty times as many bytes. */
const cachedChars = 4 * 1024 * 1024;

/** Reads source maps; caches recent ones. */
export function createAuthorSources(file: string = bundleFile): (sourceMap: string) => AuthorSource {
  let known: LRUCache<string, AuthorSource> | undefined;
  // The key is the map, not the bundle: code that differs only in comments gives the same bundle with another map.
  return (sourceMap) => {
    known ??= new LRUCache({ maxSize: cachedChars, sizeCalculation: (_, { length }) => length + 256 });
    const found = known.get(sourceMap) ?? authorSource(sourceMap, file);
    known.set(sourceMap, found);
    return found;
  };
}
