import { nearestName } from "@x/model";

/** The candidate that begins with the word, or else the one with the smallest edit distance; undefined when none is close. */
export function findNearest(word: string, candidates: Iterable<string>): string | undefined {
  const all = [...candidates];
  const typed = word.toLowerCase();
  const begun = typed.length > 1 ? all.find((candidate) => candidate.toLowerCase().startsWith(typed)) : undefined;
  return begun ?? nearestName(word, all);
}

/** A hint for an unknown word: the nearest candidate, or all of them when none is close. */
export function hintOf(word: string, candidates: readonly string[], command = ""): string {
  const nearest = findNearest(word, candidates);
  return nearest === undefined ? `there are ${candidates.join(", ")}` : `did you mean ${command}${nearest}?`;
}
