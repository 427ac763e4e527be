const longestName = 64;

/** Returns ` (did you mean "x"?)` for the closest candidate; an empty text when none is close. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const wanted = name.toLowerCase();
  let nearest: string | undefined;
  let smallest = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    if (candidate.length > longestName || wanted.length > longestName) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance < smallest) [nearest, smallest] = [candidate, distance];
  }
  return nearest === undefined ? "" : ` (did you mean "${nearest}"?)`;
}

/** Counts insertions, deletions, replacements and swaps of adjacent characters between two texts. */
function editDistance(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const same = from[i - 1] === to[j - 1];
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      next.push(
        Math.min(
          (row[j - 1] ?? 0) + (same ? 0 : 1),
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          swapped ? (before[j - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    [before, row] = [row, next];
  }
  return row[to.length] ?? 0;
}
