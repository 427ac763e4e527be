import { diffArrays } from "diff/lib/diff/array.js";

/** One line of two texts: in both, only in the first (-) or only in the second (+). */
export interface DiffLine {
  readonly mark: " " | "-" | "+";
  readonly text: string;
}

/** Texts that differ in more lines are shown one after the other, to bound the time. */
const maxChanges = 2_000;

/**
 * The shortest difference, in order, removed lines before added ones. Lines are equal when `keyOf` gives the same text for
 * them; the second text's version is shown.
 */
export function lineDiff(
  before: readonly string[],
  after: readonly string[],
  keyOf: (line: string) => string,
): DiffLine[] {
  const comparator = (left: string, right: string): boolean => keyOf(left) === keyOf(right);
  const parts = diffArrays([...before], [...after], { comparator, maxEditLength: maxChanges }) ?? [
    { removed: true, value: before },
    { added: true, value: after },
  ];
  return parts.flatMap(({ added, removed, value }) =>
    value.map((text): DiffLine => ({ mark: added ? "+" : removed ? "-" : " ", text })),
  );
}
