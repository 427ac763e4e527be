import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";

import type { Problem } from "../../model/errors.ts";
import type { Bundled } from "../contract.ts";
import { type Exported, findExported } from "./exported.ts";

/** A place in the author's files; line and column count from 1. */
export interface FileLocation {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Finds the place of a character of a bundle; undefined for what is in no file of the author's. */
export function bundleLocations(bundle: string, sourceMap: string): (at: number) => FileLocation | undefined {
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

/** The character of the deepest member on the way that is there, else of what is exported. */
function offsetOf({ node, membersOf }: Exported, path: string): number {
  let at = node.start;
  let object = node;
  for (const part of path.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    const member = membersOf(object).get(name)?.property;
    if (!member) break;
    at = member.start;
    object = member.value;
  }
  return at;
}

export type LocatedProblem = Problem & Partial<FileLocation>;

/** Problems of a component with their places in the author's files, as far as they are certain. */
export function locateProblems(
  problems: readonly Problem[],
  { bundle, sourceMap }: Pick<Bundled, "bundle" | "sourceMap">,
): readonly LocatedProblem[] {
  const exported = findExported(bundle);
  if (!exported) return problems;
  const placeOf = bundleLocations(bundle, sourceMap);
  return problems.map((problem) => ({ ...problem, ...placeOf(offsetOf(exported, problem.path)) }));
}
