import type { Change } from "../contract.ts";

/** Fewer sources are counted again each time. */
const fewest = 1_000;

const changesLists = ({ op }: Change): boolean => op === "source.put" || op === "source.delete";

/** How long lists of sources are, kept while no source is added or deleted: SQLite reads 100,000 rows to count them. */
export interface SourceCounts {
  /** `list`: what is counted. */
  count(list: string, counted: () => number): number;
  /** To be called before the changes can be seen; the function that it returns, when they are committed or refused. */
  begin(changes: readonly Change[]): () => void;
}

export function createSourceCounts(): SourceCounts {
  const known = new Map<string, number>();
  /** Commits under way: what is counted meanwhile may be from before or after them. */
  let underWay = 0;
  return {
    count(list, counted) {
      const found = known.get(list);
      if (found !== undefined) return found;
      const count = counted();
      if (count >= fewest && underWay === 0) known.set(list, count);
      return count;
    },
    begin(changes) {
      if (!changes.some(changesLists)) return () => undefined;
      known.clear();
      underWay += 1;
      return () => void (underWay -= 1);
    },
  };
}
