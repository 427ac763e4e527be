import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";

/** A place in the author's files; line and column count from 1. */
export interface FilePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Finds the place of a character of a bundle; undefined for what is in no file of the author's. */
export function bundlePlaces(bundle: string, sourceMap: string): (at: number) => FilePlace | undefined {
  const map = new TraceMap(sourceMap);
  return (at) => {
    const before = bundle.slice(0, at).split("\n");
    const { source, line, column } = originalPositionFor(map, {
      line: before.length,
      column: before.at(-1)?.length ?? 0,
    });
    // The texts of packages are not in it.
    if (source === null || typeof map.sourcesContent?.[map.sources.indexOf(source)] !== "string") return undefined;
    return { file: source, line, column: column + 1 };
  };
}
