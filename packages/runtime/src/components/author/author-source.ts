import { TraceMap } from "@jridgewell/trace-mapping";
import { LRUCache } from "lru-cache";

import { bundleFile, type SourcePosition, positionsOf } from "../bundle/stack.ts";
import { type Token, tokenAt, tokensOf } from "./tokens.ts";

/** A place in a file of the author's own, read as tokens. */
export interface CodePoint {
  readonly place: SourcePosition;
  readonly tokens: readonly Token[];
  /** Of the token at the place. */
  readonly at: number;
}

/** The author's files behind a bundle; they are read when somebody asks for them. */
export interface AuthorSource {
  readonly map: TraceMap;
  /** Frames of a stack that are in the component, the innermost first. */
  places(stack: string): readonly SourcePosition[];
  /** Undefined for files of packages. */
  point(place: SourcePosition): CodePoint | undefined;
  /** All files of the author's own. */
  files(): readonly { readonly source: string; readonly tokens: readonly Token[] }[];
  /** `line:column` of a token. */
  placeOf(source: string, token: Token): string;
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
    places: (stack) => positionsOf(stack, map, file),
    point(place) {
      const found = fileOf(place.source);
      const line = found?.lines[place.line - 1];
      if (!found || line === undefined) return undefined;
      const at = tokenAt(found.tokens, line + place.column - 1);
      return at < 0 ? undefined : { place, tokens: found.tokens, at };
    },
    files: () =>
      map.sources.flatMap((source) => {
        const found = source === null ? undefined : fileOf(source);
        return found && source !== null ? [{ source, tokens: found.tokens }] : [];
      }),
    placeOf(source, { start }) {
      const lines = fileOf(source)?.lines ?? [0];
      let line = lines.length;
      while (line > 1 && (lines[line - 1] ?? 0) > start) line -= 1;
      return `${source}:${line}:${start - (lines[line - 1] ?? 0) + 1}`;
    },
  };
}

/** Characters of maps; a parsed one takes some twenty times as many bytes. */
const keptChars = 4 * 1024 * 1024;

/** Reads source maps; keeps the last ones. */
export function createAuthorSources(file: string = bundleFile): (sourceMap: string) => AuthorSource {
  let known: LRUCache<string, AuthorSource> | undefined;
  // Not by the bundle: code that differs in its comments only becomes the same bundle, from other lines.
  return (sourceMap) => {
    known ??= new LRUCache({ maxSize: keptChars, sizeCalculation: (_, { length }) => length + 256 });
    const found = known.get(sourceMap) ?? authorSource(sourceMap, file);
    known.set(sourceMap, found);
    return found;
  };
}
