import { membersOf as namesOf, type Problem } from "@x/model";

import type { Bundled } from "../contract.ts";
import { sourceMaps } from "../bundle/source-maps.ts";
import { type Exported, findExported } from "./exported.ts";
import { lineAt, lineStarts } from "./line-starts.ts";

/** A position in the author's files; line and column count from 1. */
export interface FileLocation {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Finds the position of a character of a bundle in the author's files; undefined for code from elsewhere. */
export function bundleLocations(bundle: string, sourceMap: string): (at: number) => FileLocation | undefined {
  const { originalPositionFor, TraceMap } = sourceMaps();
  const map = new TraceMap(sourceMap);
  const lines = lineStarts(bundle);
  return (at) => {
    const index = lineAt(lines, at);
    const { source, line, column } = originalPositionFor(map, { line: index + 1, column: at - (lines[index] ?? 0) });
    // The map does not contain the texts of packages.
    if (source === null || typeof map.sourcesContent?.[map.sources.indexOf(source)] !== "string") return undefined;
    return { file: source, line, column: column + 1 };
  };
}

/** The index of the deepest existing member on the path, else of the export. */
function offsetOf({ node, membersOf }: Exported, path: string): number {
  let at = node.start;
  let object = node;
  for (const name of namesOf(path)) {
    const member = membersOf(object).get(name)?.property;
    if (!member) break;
    at = member.start;
    object = member.value;
  }
  return at;
}

export type LocatedProblem = Problem & Partial<FileLocation>;

/** Adds positions in the author's files to the problems of a component, where they are definite. */
export function locateProblems(
  problems: readonly Problem[],
  { bundle, sourceMap }: Pick<Bundled, "bundle" | "sourceMap">,
): readonly LocatedProblem[] {
  const exported = findExported(bundle);
  if (!exported) return problems;
  const locate = bundleLocations(bundle, sourceMap);
  return problems.map((problem) => ({ ...problem, ...locate(offsetOf(exported, problem.path)) }));
}
