import { parseRecord, type RecordRow } from "../rows/record-row.ts";

import type { DatabaseSync, StatementSync } from "node:sqlite";

type Value = string | number;

/** Runs reads. Each statement is prepared once. The caller names the type of the rows; the tables are STRICT, so it holds. */
export interface Query {
  one<Row>(sql: string, ...values: Value[]): Row | undefined;
  all<Row>(sql: string, ...values: Value[]): Row[];
  /** Reads each row when the caller asks for it. */
  each<Row>(sql: string, ...values: Value[]): Iterable<Row>;
  /** The record of the first row. */
  record<T>(sql: string, ...values: Value[]): T | undefined;
  /** Runs several reads on one state of the file. */
  snapshot<T>(read: () => T): T;
}

export function createQuery(database: DatabaseSync): Query {
  const prepared = new Map<string, StatementSync>();
  const statement = (sql: string): StatementSync => {
    const known = prepared.get(sql);
    if (known) return known;
    const made = database.prepare(sql);
    prepared.set(sql, made);
    return made;
  };
  return {
    one: <Row>(sql: string, ...values: Value[]) => statement(sql).get(...values) as Row | undefined,
    all: <Row>(sql: string, ...values: Value[]) => statement(sql).all(...values) as Row[],
    each: <Row>(sql: string, ...values: Value[]) => statement(sql).iterate(...values) as Iterable<Row>,
    record<T>(sql: string, ...values: Value[]) {
      const row = statement(sql).get(...values) as RecordRow | undefined;
      return row && parseRecord<T>(row);
    },
    snapshot(read) {
      statement("BEGIN").run();
      try {
        return read();
      } finally {
        statement("COMMIT").run();
      }
    },
  };
}
