import type { Page, Paged } from "../../model/model.ts";
import type { Query } from "./query.ts";
import { placesOf } from "../../model/cursor.ts";

/** The rows of a list. */
export interface PlacedRows<Row> {
  readonly columns: string;
  /** Table and condition, such as `webhook WHERE user_id = ?`. */
  readonly from: string;
  /** Of the condition. */
  readonly values: readonly string[];
  /** Where a cursor stands, or stood before its row was deleted. */
  placeOf(id: string): number | undefined;
  /** How much a row adds to a page that is bounded in bytes. */
  sizeOf(row: Row): number;
}

/** A page of rows in the order of their places, newest first. Throws `invalid_parameter` for a cursor without a place. */
export function readPlacedPage<Row, Item>(
  query: Query,
  { columns, from, values, placeOf, sizeOf }: PlacedRows<Row>,
  page: Page,
  parse: (row: Row) => Item,
): Paged<Item> {
  return query.snapshot(() => {
    const { after, before } = placesOf(page, placeOf);
    const { bytes = Number.POSITIVE_INFINITY } = page;
    // With `before` alone the page ends at the cursor, so it is read from there, oldest first.
    const backwards = before !== undefined && after === undefined;
    const found = query.each<Row>(
      `SELECT ${columns} FROM ${from} AND place < ? AND place > ? ORDER BY place ${backwards ? "ASC" : "DESC"} LIMIT ?`,
      ...values,
      after ?? Number.MAX_SAFE_INTEGER,
      before ?? 0,
      page.limit,
    );
    const items: Item[] = [];
    let sum = 0;
    for (const row of found) {
      sum += sizeOf(row);
      if (items.length > 0 && sum > bytes) break;
      items.push(parse(row));
    }
    const count = query.one<{ n: number }>(`SELECT count(*) AS n FROM ${from}`, ...values);
    return { totalCount: count?.n ?? 0, items: backwards ? items.toReversed() : items };
  });
}
