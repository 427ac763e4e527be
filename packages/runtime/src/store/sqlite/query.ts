import type { DatabaseSync, StatementSync } from "node:sqlite";

/** Prepares each read once; rows come back as the caller says they are. */
export interface Query {
  one<Row>(sql: string, ...values: (string | number)[]): Row | undefined;
  all<Row>(sql: string, ...values: (string | number)[]): Row[];
  /** Reads each row when it is asked for. */
  each<Row>(sql: string, ...values: (string | number)[]): Iterable<Row>;
  /** Several reads of one state of the file. */
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
    one: <Row>(sql: string, ...values: (string | number)[]) => statement(sql).get(...values) as Row | undefined,
    all: <Row>(sql: string, ...values: (string | number)[]) => statement(sql).all(...values) as Row[],
    each: <Row>(sql: string, ...values: (string | number)[]) => statement(sql).iterate(...values) as Iterable<Row>,
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
