import { SourceMap, type SourceMapPayload } from "node:module";
import { join } from "node:path";

import type { ComponentTexts } from "@x/runtime";

/** A place in the author's files; line and column count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Finds the author's place of a character of a bundle, by its source map; its files are in `folder`. */
export function createPlaceFinder(
  { bundle, sourceMap }: Pick<ComponentTexts, "bundle" | "sourceMap">,
  folder: string,
): (at: number) => Place | undefined {
  const map = new SourceMap(JSON.parse(sourceMap) as SourceMapPayload);
  return (at) => {
    const before = bundle.slice(0, at).split("\n");
    const entry = map.findEntry(before.length - 1, before.at(-1)?.length ?? 0);
    if (!("originalSource" in entry)) return undefined;
    return {
      file: join(folder, entry.originalSource),
      line: entry.originalLine + 1,
      column: entry.originalColumn + 1,
    };
  };
}
