function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

/** The candidate that needs the fewest changes to become `word`; undefined when there is none. */
export function findNearest(word: string, candidates: Iterable<string>): string | undefined {
  let nearest: { candidate: string; changes: number } | undefined;
  for (const candidate of candidates) {
    const changes = distance(word, candidate);
    if (!nearest || changes < nearest.changes) nearest = { candidate, changes };
  }
  return nearest?.candidate;
}
