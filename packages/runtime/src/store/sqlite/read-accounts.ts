import type { Account, Page, Paged } from "../../model/model.ts";
import { readPlacedPage } from "./placed-page.ts";
import type { Query } from "./query.ts";
import { readPlace } from "./read-place.ts";
import { parseRecord, type RecordRow } from "./rows.ts";

/** A page of a user's accounts, newest created first; cursors of deleted accounts keep their place. */
export function readAccounts(query: Query, userId: string, page: Page, app: string | undefined): Paged<Account> {
  const rows = {
    columns: "record",
    from: `account WHERE user_id = ?${app === undefined ? "" : " AND app = ?"}`,
    values: app === undefined ? [userId] : [userId, app],
    sizeOf: ({ record }: RecordRow) => record.length,
    placeOf: (id: string) => readPlace(query, "account", userId, id),
  };
  return readPlacedPage(query, rows, page, parseRecord<Account>);
}
