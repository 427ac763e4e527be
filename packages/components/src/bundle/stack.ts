import type { TraceMap } from "@jridgewell/trace-mapping";
import { LRUCache } from "lru-cache";

import { sourceMaps } from "./source-maps.ts";

/** The name under which the sandbox evaluates a bundle. */
export const bundleFile = "bundle.js";

const frame = /^\s+at (?:(.*) \()?([^()]*?)(?::(\d{1,9}))?(?::(\d{1,9}))?\)?$/;

/** Functions that replace computed imports in packages. */
const importReplacement = /^\$(?:equire|mport)$/;

/** The position of a frame in the author's files. */
export interface SourcePosition {
  /** Name of the function. */
  readonly name?: string;
  readonly source: string;
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

/** Undefined when the line is not a frame; null for a frame of the runtime, or without a position in the author's code. */
function positionOf(line: string, map: TraceMap, file: string): SourcePosition | null | undefined {
  const match = frame.exec(line);
  if (!match) return undefined;
  const [, name, path, lineNumber, column] = match;
  // A component can write anything into a stack, also line 0.
  if (path !== file || lineNumber === undefined || Number(lineNumber) < 1) return null;
  if (name !== undefined && importReplacement.test(name)) return null;
  const origin = sourceMaps().originalPositionFor(map, {
    line: Number(lineNumber),
    column: Math.max(0, Number(column ?? 1) - 1),
  });
  if (origin.source === null) return null;
  const { source, line: originLine, column: originColumn } = origin;
  const isNamed = name !== undefined && !name.startsWith("<");
  return { ...(isNamed && { name }), source, line: originLine, column: originColumn + 1 };
}

/** The positions of a stack's frames, innermost first. */
export const positionsOf = (stack: string, map: TraceMap, file: string = bundleFile): readonly SourcePosition[] =>
  stack.split("\n").flatMap((line) => positionOf(line, map, file) ?? []);

/**
 * Maps a stack to the author's files. Removes frames of the runtime, and frames without a position in the author's code;
 * keeps other lines.
 */
export function mapStack(stack: string, map: TraceMap, file: string = bundleFile): string {
  return stack
    .split("\n")
    .flatMap((line) => {
      const position = positionOf(line, map, file);
      if (!position) return position === undefined ? [line] : [];
      const shown = `${position.source}:${position.line}:${position.column}`;
      return [position.name === undefined ? `    at ${shown}` : `    at ${position.name} (${shown})`];
    })
    .join("\n")
    .trimEnd();
}

/** Maps the stacks of many bundles; caches parsed source maps. */
export type StackMapper = (stack: string, sourceMap: string) => string;

/** Cache size in characters of source maps; a parsed map takes about twenty times as many bytes. */
const cachedChars = 4 * 1024 * 1024;

export function createStackMapper(file: string = bundleFile): StackMapper {
  let maps: LRUCache<string, TraceMap> | undefined;
  // The key is the map, not the bundle: code that differs only in comments gives the same bundle with another map.
  return (stack, sourceMap) => {
    maps ??= new LRUCache({ maxSize: cachedChars, sizeCalculation: (_, { length }) => length + 256 });
    let map = maps.get(sourceMap);
    if (!map) {
      map = new (sourceMaps().TraceMap)(sourceMap);
      maps.set(sourceMap, map);
    }
    return mapStack(stack, map, file);
  };
}
