import { createHash } from "node:crypto";

import { parseRecord, type RecordRow } from "@x/runtime/store";

import { pgText } from "./pg-text.ts";
import { parsers, type PgPool } from "./driver.ts";
import { isLost } from "./failure.ts";
import type { Namespace } from "./namespace.ts";

export type Parameter = string | number | null | Uint8Array | readonly (string | number)[];

/** Runs reads. The caller names the type of the rows. `@table` in a statement is a table of the schema. */
export interface Query {
  one<Row>(sql: string, ...values: Parameter[]): Promise<Row | undefined>;
  all<Row>(sql: string, ...values: Parameter[]): Promise<readonly Row[]>;
  /** The record of the first row. */
  record<T>(sql: string, ...values: Parameter[]): Promise<T | undefined>;
}

/** A text that the server refuses cannot be in a table either; in this form it is not found. */
const parameter = (value: Parameter): Parameter => (typeof value === "string" ? pgText(value) : value);

/** `isPrepared`: statements are prepared once on each connection, which a pooler may not know of. */
export function createQuery(pool: PgPool, { qualify }: Namespace, isPrepared = true): Query {
  const known = new Map<string, { readonly name?: string; readonly text: string }>();
  /** The name is of the text, because a pool may serve several schemas. */
  const statementOf = (sql: string): { readonly name?: string; readonly text: string } => {
    const found = known.get(sql);
    if (found) return found;
    const text = qualify(sql);
    const name = `x${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;
    const made = { ...(isPrepared && { name }), text };
    known.set(sql, made);
    return made;
  };
  async function all<Row>(sql: string, ...values: Parameter[]): Promise<readonly Row[]> {
    const statement = { ...statementOf(sql), values: values.map(parameter), types: parsers };
    try {
      return (await pool.query(statement)).rows as readonly Row[];
    } catch (error) {
      // An idle connection may have been cut; a new one tells whether the server is there.
      if (!isLost(error)) throw error;
      return (await pool.query(statement)).rows as readonly Row[];
    }
  }
  return {
    all,
    one: async <Row>(sql: string, ...values: Parameter[]) => (await all<Row>(sql, ...values))[0],
    async record<T>(sql: string, ...values: Parameter[]) {
      const [row] = await all<RecordRow>(sql, ...values);
      return row && parseRecord<T>(row);
    },
  };
}
