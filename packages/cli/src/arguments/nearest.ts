/** The edit distance: insertions, deletions, replacements and swaps of neighbouring letters. */
function distance(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwap ? (before[j - 2] ?? 0) + 1 : Infinity;
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[to.length] ?? 0;
}

/** At most a third of the letters, and at least one, may differ. */
const maxChanges = (word: string): number => Math.max(1, Math.floor(word.length / 3));

/** The candidate that begins with the word, or else the one with the smallest edit distance; undefined when none is close. */
export function findNearest(word: string, candidates: Iterable<string>): string | undefined {
  const typed = word.toLowerCase();
  let nearest: { readonly candidate: string; readonly changes: number } | undefined;
  for (const candidate of candidates) {
    if (typed.length > 1 && candidate.toLowerCase().startsWith(typed)) return candidate;
    const changes = distance(typed, candidate.toLowerCase());
    if (changes <= maxChanges(typed) && (!nearest || changes < nearest.changes)) nearest = { candidate, changes };
  }
  return nearest?.candidate;
}

/** A hint for an unknown word: the nearest candidate, or all of them when none is close. */
export function hintOf(word: string, candidates: readonly string[], command = ""): string {
  const nearest = findNearest(word, candidates);
  return nearest === undefined ? `there are ${candidates.join(", ")}` : `did you mean ${command}${nearest}?`;
}
