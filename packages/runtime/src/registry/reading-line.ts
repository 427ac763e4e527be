import { suggestsKey } from "./names.ts";
import type { Candidate } from "./scan.ts";

/** Candidates that are to be read, each once: in their order, but first those that may have a key somebody waits for. */
export interface ReadingLine {
  /** Undefined when all were taken. */
  next(): Candidate | undefined;
  /** Somebody waits for this key. */
  hurry(key: string): void;
}

export function createReadingLine(candidates: readonly Candidate[]): ReadingLine {
  /** In both: those that were moved to the front. */
  const front: Candidate[] = [];
  const moved = new Set<Candidate>();
  let place = 0;
  return {
    next() {
      while (place < candidates.length && front.length === 0) {
        const next = candidates[place++];
        if (next && !moved.has(next)) return next;
      }
      return front.shift();
    },
    hurry(key) {
      for (const candidate of candidates.slice(place)) {
        if (moved.has(candidate) || !suggestsKey(candidate.file, key)) continue;
        moved.add(candidate);
        front.push(candidate);
      }
    },
  };
}
