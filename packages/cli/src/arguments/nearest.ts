/** How many letters must be put in, left out, replaced or swapped with the next to make one word of the other. */
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

/** A typing error changes one letter in three at most, and one at least; more is another word. */
const maxChanges = (word: string): number => Math.max(1, Math.floor(word.length / 3));

/**
 * What was meant by a word: the candidate that begins with it, or else the one that needs the fewest changes to become
 * it. Undefined when none is near.
 */
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

/** The end of a message about a word that is none of the candidates: the nearest of them, or else all. */
export function hintOf(word: string, candidates: readonly string[], command = ""): string {
  const nearest = findNearest(word, candidates);
  return nearest === undefined ? `there are ${candidates.join(", ")}` : `did you mean ${command}${nearest}?`;
}
