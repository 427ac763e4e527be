import type { Sealers } from "../sealed/sealing-store.ts";
import { columnIndex, type MovedRow, type MovedTable } from "./moved-tables.ts";

/** Encrypts the secrets of rows with another key. */
export interface Reseal {
  readonly from: Sealers;
  readonly to: Sealers;
  /** Identifies an API key. */
  readonly digest: (apiKey: string) => string;
}

/** Rows of tables without secrets stay the same. Throws `secret_damaged`. */
export function resealRows(
  table: MovedTable,
  rows: readonly MovedRow[],
  { from, to, digest }: Reseal,
): readonly MovedRow[] {
  const kind = table.name;
  if (!(kind in to)) return rows;
  const name = kind as keyof Sealers;
  const record = columnIndex(table, "record");
  return rows.map((row) => {
    const opened = from[name].open(JSON.parse(String(row[record])) as never);
    const next = row.with(record, JSON.stringify(to[name].close(opened as never)));
    return "apiKey" in opened ? next.with(columnIndex(table, "api_key"), digest(opened.apiKey)) : next;
  });
}
