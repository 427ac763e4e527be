import type { Page, Paged, Source } from "../model.ts";
import { readPlace } from "./read-place.ts";
import type { Query } from "./reader.ts";
import { parseRecord, type RecordRow } from "./rows.ts";

/** A page of a user's sources and workflows, newest created first; cursors of deleted ones keep their place. */
export function readSources(query: Query, userId: string, page: Page, only?: "dc" | "p"): Paged<Source> {
  // As the index has it.
  const [kind, ...kinds] = only === undefined ? [""] : ["AND substr(id, 1, 2) = ?", only.padEnd(2, "_")];
  const placeOf = (id: string | undefined): number | undefined => readPlace(query, "source", userId, id);
  return query.snapshot(() => {
    const after = placeOf(page.after);
    const before = placeOf(page.before);
    // With `before` alone the page ends at the cursor, so it is read from there, oldest first.
    const backwards = before !== undefined && after === undefined;
    const found = query.all<RecordRow>(
      `SELECT record FROM source WHERE user_id = ? ${kind} AND place < ? AND place > ?
        ORDER BY place ${backwards ? "ASC" : "DESC"} LIMIT ?`,
      userId,
      ...kinds,
      after ?? Number.MAX_SAFE_INTEGER,
      before ?? 0,
      page.limit,
    );
    const items = found.map((row) => parseRecord<Source>(row));
    const count = query.one<{ n: number }>(
      `SELECT count(*) AS n FROM source WHERE user_id = ? ${kind}`,
      userId,
      ...kinds,
    );
    return { totalCount: count?.n ?? 0, items: backwards ? items.toReversed() : items };
  });
}
