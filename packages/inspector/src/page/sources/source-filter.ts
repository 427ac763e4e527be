import type { SourceRow } from "./source-list.ts";

/** Which sources are listed. */
export type SourceKind = "all" | "active" | "paused" | "failing";

export const isFailing = ({ state }: SourceRow): boolean => (state?.failures_24h ?? 0) > 0;

const tests: Readonly<Record<SourceKind, (row: SourceRow) => boolean>> = {
  all: () => true,
  active: ({ active }) => active,
  paused: ({ active }) => !active,
  failing: isFailing,
};

/** The sources of a kind whose name, slug or id has every word of a search; ids by their beginning. */
export function filterSources(rows: readonly SourceRow[], kind: SourceKind, search: string): readonly SourceRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (kind === "all" && words.length === 0) return rows;
  return rows.filter((row) => {
    if (!tests[kind](row)) return false;
    const text = `${row.name} ${row.name_slug}`.toLowerCase();
    const id = row.id.toLowerCase();
    return words.every((word) => text.includes(word) || id.startsWith(word));
  });
}
