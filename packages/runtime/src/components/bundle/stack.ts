import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import { LRUCache } from "lru-cache";

/** The name under which the sandbox evaluates a bundle. */
export const bundleFile = "bundle.js";

const frame = /^\s+at (?:(.*) \()?([^()]*?)(?::(\d{1,9}))?(?::(\d{1,9}))?\)?$/;

/** What stands in packages for imports of computed paths: nobody wrote it. */
const standIn = /^\$(?:equire|mport)$/;

/** Where a frame is in the author's files. */
export interface Place {
  /** Of the function. */
  readonly name?: string;
  readonly source: string;
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

/** Undefined when the line is no frame; null when it is one of the runtime, or has no place in the author's code. */
function placeOf(line: string, map: TraceMap, file: string): Place | null | undefined {
  const match = frame.exec(line);
  if (!match) return undefined;
  const [, name, place, lineNumber, column] = match;
  // A component can write what it likes into a stack, a line 0 too.
  if (place !== file || lineNumber === undefined || Number(lineNumber) < 1) return null;
  if (name !== undefined && standIn.test(name)) return null;
  const origin = originalPositionFor(map, {
    line: Number(lineNumber),
    column: Math.max(0, Number(column ?? 1) - 1),
  });
  if (origin.source === null) return null;
  const { source, line: originLine, column: originColumn } = origin;
  const isNamed = name !== undefined && !name.startsWith("<");
  return { ...(isNamed && { name }), source, line: originLine, column: originColumn + 1 };
}

/** The places of a stack's frames, the innermost first. */
export const placesOf = (stack: string, map: TraceMap, file: string = bundleFile): readonly Place[] =>
  stack.split("\n").flatMap((line) => placeOf(line, map, file) ?? []);

/**
 * The stack in the author's files. Frames of the runtime are left out, and so is what has no place in the author's code;
 * lines that are no frames stay.
 */
export function mapStack(stack: string, map: TraceMap, file: string = bundleFile): string {
  return stack
    .split("\n")
    .flatMap((line) => {
      const place = placeOf(line, map, file);
      if (!place) return place === undefined ? [line] : [];
      const shown = `${place.source}:${place.line}:${place.column}`;
      return [place.name === undefined ? `    at ${shown}` : `    at ${place.name} (${shown})`];
    })
    .join("\n")
    .trimEnd();
}

/** Maps the stacks of many bundles; keeps the parsed maps of the last ones. */
export type StackMapper = (stack: string, sourceMap: string) => string;

/** Characters of maps; a parsed one takes some twenty times as many bytes. */
const keptChars = 4 * 1024 * 1024;

export function createStackMapper(file: string = bundleFile): StackMapper {
  let maps: LRUCache<string, TraceMap> | undefined;
  // Not by the bundle: code that differs in its comments only becomes the same bundle, from other lines.
  return (stack, sourceMap) => {
    maps ??= new LRUCache({ maxSize: keptChars, sizeCalculation: (_, { length }) => length + 256 });
    let map = maps.get(sourceMap);
    if (!map) {
      map = new TraceMap(sourceMap);
      maps.set(sourceMap, map);
    }
    return mapStack(stack, map, file);
  };
}
