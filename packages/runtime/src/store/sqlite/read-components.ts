import type { Component } from "../../model/model.ts";
import { unpackText } from "./packed-text.ts";
import type { Query } from "./query.ts";
import { parseRecord } from "./rows.ts";

interface ComponentRow {
  readonly record: string;
  readonly lock: string | null;
}

/** The first component for which the condition holds. */
export function readComponent(query: Query, condition: string, ...values: string[]): Component | undefined {
  const sql = `SELECT component.record, package_lock.record AS lock
    FROM component LEFT JOIN package_lock ON package_lock.hash = lock_hash WHERE ${condition}`;
  const row = query.one<ComponentRow>(sql, ...values);
  if (!row) return undefined;
  const component = parseRecord<Component>(row);
  return row.lock === null ? component : { ...component, ...(JSON.parse(row.lock) as Partial<Component>) };
}

export function readText(query: Query, hash: string): string | undefined {
  const find = (wanted: string): Uint8Array | undefined =>
    query.one<{ data: Uint8Array }>("SELECT data FROM text WHERE hash = ?", wanted)?.data;
  const packed = find(hash);
  return (
    packed &&
    unpackText(packed, (wanted) => {
      const base = find(wanted);
      if (!base) throw new Error(`text ${wanted}, which others are described by, is not there`);
      return base;
    })
  );
}
