const longestName = 64;
/** Candidates of a fitting length that are compared with one name. */
const maxCandidates = 200;
/** People read the first problems of a list. */
const maxHints = 10;

/** Returns ` (did you mean "x"?)` for the closest candidate; an empty text when none is close. */
export type Hint = (name: string, candidates: Iterable<string>) => string;

/**
 * The candidate with the smallest edit distance, in bounded time; undefined when more than a third of the characters, and more
 * than one, would have to change. Upper and lower case are equal.
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  if (wanted.length > longestName) return undefined;
  let nearest: string | undefined;
  let smallest = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  let compared = 0;
  for (const candidate of candidates) {
    // Each character more or less is an edit.
    if (candidate.length > longestName || Math.abs(candidate.length - wanted.length) >= smallest) continue;
    if ((compared += 1) > maxCandidates) break;
    const distance = editDistance(wanted, candidate.toLowerCase(), smallest);
    if (distance < smallest) [nearest, smallest] = [candidate, distance];
  }
  return nearest;
}

/** The hint for one name. For a list of problems: `limitedHints`. */
export const didYouMean: Hint = (name, candidates) => {
  const nearest = nearestName(name, candidates);
  return nearest === undefined ? "" : ` (did you mean "${nearest}"?)`;
};

/** Hints for the first problems of one report, whose number its sender decides. */
export function limitedHints(): Hint {
  let left = maxHints;
  return (name, candidates) => ((left -= 1) < 0 ? "" : didYouMean(name, candidates));
}

/** Counts insertions, deletions, replacements and swaps of adjacent characters between two texts, up to a limit. */
function editDistance(from: string, to: string, limit: number): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= to.length; j += 1) {
      const same = from[i - 1] === to[j - 1];
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const distance = Math.min(
        (row[j - 1] ?? 0) + (same ? 0 : 1),
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        swapped ? (before[j - 2] ?? 0) + 1 : Infinity,
      );
      next.push(distance);
      least = Math.min(least, distance);
    }
    // Rows do not become smaller, but for a swap, which goes back one row.
    if (least > limit) return least;
    [before, row] = [row, next];
  }
  return row[to.length] ?? 0;
}
