import type { Problem } from "../../model/errors.ts";
import type { Bundled } from "../contract.ts";
import { bundlePlaces, type FilePlace } from "./bundle-place.ts";
import { type Exported, findExported } from "./exported.ts";

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

export type PlacedProblem = Problem & Partial<FilePlace>;

/** Problems of a component with their places in the author's files, as far as they are certain. */
export function placedProblems(
  problems: readonly Problem[],
  { bundle, sourceMap }: Pick<Bundled, "bundle" | "sourceMap">,
): readonly PlacedProblem[] {
  const exported = findExported(bundle);
  if (!exported) return problems;
  const placeOf = bundlePlaces(bundle, sourceMap);
  return problems.map((problem) => ({ ...problem, ...placeOf(offsetOf(exported, problem.path)) }));
}
