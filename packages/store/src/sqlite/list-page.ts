import { cursorPositions, type Paged } from "@x/model";
import type { ListQuery } from "../queries.ts";
import type { RecordRow } from "../rows/record-row.ts";
import type { Query } from "./query.ts";
import type { SourceCounts } from "./source-counts.ts";

/** The rows of a list. */
export interface ListRows<Row> {
  readonly columns: string;
  /** Table and condition, such as `delivery WHERE webhook_id = ?`. */
  readonly from: string;
  /** Values of the condition. */
  readonly values: readonly (string | number)[];
  /** Finds the position of a cursor. */
  positionOf(id: string): number | undefined;
  /** Characters that a row adds to a page with a limit in bytes. */
  sizeOf(row: Row): number;
  /** Keeps the number of all rows; default: they are counted. */
  count?(counted: () => number): number;
}

/** Reads a page of rows, newest first. Throws `invalid_parameter` for a cursor without a position. */
export function readListPage<Row, Item>(
  query: Query,
  { columns, from, values, positionOf, sizeOf, count = (counted) => counted() }: ListRows<Row>,
  page: ListQuery,
  parse: (row: Row) => Item,
): Paged<Item> {
  const counted = (): number => query.one<{ n: number }>(`SELECT count(*) AS n FROM ${from}`, ...values)?.n ?? 0;
  return query.snapshot(() => {
    const { after, before } = cursorPositions(page, positionOf);
    const { bytes = Number.POSITIVE_INFINITY } = page;
    // With `before` alone the page ends at the cursor, so it is read from there, oldest first.
    const backwards = before !== undefined && after === undefined;
    const found = query.each<Row>(
      `SELECT ${columns} FROM ${from} AND position < ? AND position > ? ORDER BY position ${backwards ? "ASC" : "DESC"} LIMIT ?`,
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
    return { totalCount: page.total === false ? 0 : count(counted), items: backwards ? items.toReversed() : items };
  });
}

/** A list of one user. */
export interface UserList {
  readonly table: "source" | "webhook" | "account";
  readonly columns: string;
  /** Matches the ids of its items: the positions of all deleted items are in one table. */
  readonly ids: RegExp;
  /** Restricts the list to rows with this value in a column or expression. */
  readonly where?: { readonly column: string; readonly value: string } | undefined;
  readonly counts?: Pick<SourceCounts, "count">;
}

/** Reads a page of a user's list, newest first. Cursors of deleted items stay valid. */
export function readUserPage<Row extends RecordRow, Item>(
  query: Query,
  { table, columns, ids, where, counts }: UserList,
  userId: string,
  page: ListQuery,
  parse: (row: Row) => Item,
): Paged<Item> {
  const tables = [table, "list_position"].map((name) => `SELECT position FROM ${name} WHERE id = ?1 AND user_id = ?2`);
  const positionSql = `${tables.join(" UNION ALL ")} LIMIT 1`;
  const values = where ? [userId, where.value] : [userId];
  const rows: ListRows<Row> = {
    columns,
    from: `${table} WHERE user_id = ?${where ? ` AND ${where.column} = ?` : ""}`,
    values,
    ...(counts && { count: (counted) => counts.count(values.join(" "), counted) }),
    sizeOf: ({ record }) => record.length,
    // Another user's item has no position, like one that never existed: a cursor must not tell the two apart.
    positionOf: (id) => (ids.test(id) ? query.one<{ position: number }>(positionSql, id, userId)?.position : undefined),
  };
  return readListPage(query, rows, page, parse);
}
