import { countWithin, type ListQuery, type Paged, type RecordRow, unknownCursor } from "@x/runtime/store";

import type { Parameter, Query } from "./query.ts";

/** The rows of a list. */
export interface ListRows<Row> {
  readonly columns: string;
  /** Table and condition, such as `@delivery WHERE webhook_id = $1`. */
  readonly from: string;
  /** Values of the condition. */
  readonly values: readonly Parameter[];
  /** Finds the position of a cursor. */
  positionOf(id: string): Promise<number | undefined>;
  /** Characters that a row adds to a page with a limit in bytes. */
  sizeOf(row: Row): number;
}

async function findCursor(
  name: "after" | "before",
  id: string | undefined,
  positionOf: (id: string) => Promise<number | undefined>,
): Promise<number | undefined> {
  if (id === undefined) return undefined;
  const position = await positionOf(id);
  if (position === undefined) throw unknownCursor(name, id);
  return position;
}

/** Reads a page of rows with their number, if it is wanted, newest first, of one state of the tables. Throws `invalid_parameter` for an unknown cursor. */
export async function readListPage<Row extends object, Item>(
  query: Query,
  { columns, from, values, positionOf, sizeOf }: ListRows<Row>,
  page: ListQuery,
  parse: (row: Row) => Item,
): Promise<Paged<Item>> {
  const after = await findCursor("after", page.after, positionOf);
  const before = await findCursor("before", page.before, positionOf);
  // With `before` alone the page ends at the cursor, so it is read from there, oldest first.
  const backwards = before !== undefined && after === undefined;
  const n = values.length;
  const order = backwards ? "ASC" : "DESC";
  const total = page.total === false ? "0" : `(SELECT count(*) FROM ${from})`;
  const sql = `SELECT ${total} AS total, page.* FROM (SELECT 1) AS one LEFT JOIN (
      SELECT ${columns}, position FROM ${from} AND position < $${n + 1} AND position > $${n + 2}
        ORDER BY position ${order} LIMIT $${n + 3}) AS page ON true ORDER BY page.position ${order}`;
  // Positions are whole; those of cursors may lie between two of them.
  const bounds = [Math.ceil(after ?? Number.MAX_SAFE_INTEGER), Math.floor(before ?? 0), page.limit];
  const rows = await query.all<Row & { readonly total: number; readonly position: number | null }>(
    sql,
    ...values,
    ...bounds,
  );
  const found = rows.filter(({ position }) => position !== null);
  const count = countWithin(found, sizeOf, page.bytes ?? Number.POSITIVE_INFINITY);
  const items = found.slice(0, count).map(parse);
  return { totalCount: rows[0]?.total ?? 0, items: backwards ? items.toReversed() : items };
}

/** A list of one user. */
export interface UserList {
  readonly table: "source" | "webhook" | "account";
  readonly columns: string;
  /** Matches the ids of its items: the positions of all deleted items are in one table. */
  readonly ids: RegExp;
  /** Restricts the list to rows with this value in a column or expression. */
  readonly where?: { readonly column: string; readonly value: string } | undefined;
}

/** Reads a page of a user's list, newest first. Cursors of deleted items stay valid. */
export function readUserPage<Row extends RecordRow, Item>(
  query: Query,
  { table, columns, ids, where }: UserList,
  userId: string,
  page: ListQuery,
  parse: (row: Row) => Item,
): Promise<Paged<Item>> {
  const tables = [table, "list_position"].map((name) => `SELECT position FROM @${name} WHERE id = $1 AND user_id = $2`);
  const positionSql = `${tables.join(" UNION ALL ")} LIMIT 1`;
  const rows: ListRows<Row> = {
    columns,
    from: `@${table} WHERE user_id = $1${where ? ` AND ${where.column} = $2` : ""}`,
    values: where ? [userId, where.value] : [userId],
    sizeOf: ({ record }) => record.length,
    // Another user's item has no position, like one that never existed: a cursor must not tell the two apart.
    positionOf: async (id) =>
      ids.test(id) ? (await query.one<{ position: number }>(positionSql, id, userId))?.position : undefined,
  };
  return readListPage(query, rows, page, parse);
}
