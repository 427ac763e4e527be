import type { Run } from "./referee.ts";
import type { Deployed } from "./sources.ts";

/**
 * The longest time between two ends of runs of a source, one of them within a span, less the interval at which it has a reason
 * to run.
 */
export interface Silence {
  readonly source: string;
  readonly ms: number;
}

/** Silences of these sources, of committed runs only. */
export function measureSilences(
  runs: readonly Run[],
  committed: ReadonlySet<number>,
  { sources, from, to }: { readonly sources: readonly Deployed[]; readonly from: number; readonly to: number },
): Silence[] {
  const ends = new Map<string, number[]>(sources.map(({ label }) => [label, []]));
  for (const { number, source, endedAt } of runs) {
    if (endedAt !== undefined && committed.has(number)) ends.get(source)?.push(endedAt);
  }
  return sources.map(({ label, everyMs }) => {
    const sorted = (ends.get(label) ?? []).toSorted((a, b) => a - b);
    let ms = 0;
    for (const [index, at] of sorted.entries()) {
      const before = sorted[index - 1];
      if (before !== undefined && at > from && before < to) ms = Math.max(ms, at - before);
    }
    return { source: label, ms: Math.max(0, ms - everyMs) };
  });
}
