import type { Account, Page, Paged } from "../model.ts";
import { readPlace } from "./read-place.ts";
import type { Query } from "./reader.ts";
import { parseRecord, type RecordRow } from "./rows.ts";

/** A page of a user's accounts, newest created first; cursors of deleted accounts keep their place. */
export function readAccounts(query: Query, userId: string, page: Page, app: string | undefined): Paged<Account> {
  const placeOf = (id: string | undefined): number | undefined => readPlace(query, "account", userId, id);
  const where = `user_id = ?${app === undefined ? "" : " AND app = ?"}`;
  const owner = app === undefined ? [userId] : [userId, app];
  return query.snapshot(() => {
    const after = placeOf(page.after);
    const before = placeOf(page.before);
    // With `before` alone the page ends at the cursor, so it is read from there, oldest first.
    const backwards = before !== undefined && after === undefined;
    const found = query.all<RecordRow>(
      `SELECT record FROM account WHERE ${where} AND place < ? AND place > ?
        ORDER BY place ${backwards ? "ASC" : "DESC"} LIMIT ?`,
      ...owner,
      after ?? Number.MAX_SAFE_INTEGER,
      before ?? 0,
      page.limit,
    );
    const items = found.map((row) => parseRecord<Account>(row));
    const count = query.one<{ n: number }>(`SELECT count(*) AS n FROM account WHERE ${where}`, ...owner);
    return { totalCount: count?.n ?? 0, items: backwards ? items.toReversed() : items };
  });
}
