import type { Page, Paged, Source } from "../model.ts";
import type { Query } from "./reader.ts";
import { parseRecord, type RecordRow } from "./rows.ts";

/** A page of a user's sources, newest created first; cursors of deleted sources keep their place. */
export function readSources(query: Query, userId: string, page: Page): Paged<Source> {
  const placeOf = (id: string | undefined): number | undefined => {
    if (id === undefined) return undefined;
    const sql = "SELECT place FROM source WHERE id = ?1 UNION ALL SELECT place FROM source_place WHERE id = ?1 LIMIT 1";
    return query.one<{ place: number }>(sql, id)?.place;
  };
  return query.snapshot(() => {
    const after = placeOf(page.after);
    const before = placeOf(page.before);
    // With `before` alone the page ends at the cursor, so it is read from there, oldest first.
    const backwards = before !== undefined && after === undefined;
    const found = query.all<RecordRow>(
      `SELECT record FROM source WHERE user_id = ? AND place < ? AND place > ?
        ORDER BY place ${backwards ? "ASC" : "DESC"} LIMIT ?`,
      userId,
      after ?? Number.MAX_SAFE_INTEGER,
      before ?? 0,
      page.limit,
    );
    const items = found.map((row) => parseRecord<Source>(row));
    const count = query.one<{ n: number }>("SELECT count(*) AS n FROM source WHERE user_id = ?", userId);
    return { totalCount: count?.n ?? 0, items: backwards ? items.toReversed() : items };
  });
}
