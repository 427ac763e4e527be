import type { Component } from "@x/model";
import type { SyncReads } from "../reads.ts";
import { unpackText } from "./packed-text.ts";
import { type ComponentRow, parseComponent } from "../rows/record-row.ts";
import type { Query } from "./query.ts";

/** Reads one component. `condition` is what follows WHERE. */
function readComponent(query: Query, condition: string, ...values: string[]): Component | undefined {
  const sql = `SELECT component.record, package_lock.record AS lock
    FROM component LEFT JOIN package_lock ON package_lock.hash = lock_hash WHERE ${condition}`;
  const row = query.one<ComponentRow>(sql, ...values);
  return row && parseComponent(row);
}

function readText(query: Query, hash: string): string | undefined {
  const find = (wanted: string): Uint8Array | undefined =>
    query.one<{ data: Uint8Array }>("SELECT data FROM text WHERE hash = ?", wanted)?.data;
  const packed = find(hash);
  return (
    packed &&
    unpackText(packed, (wanted) => {
      const base = find(wanted);
      if (!base) throw new Error(`text ${wanted} is missing, which other texts are based on`);
      return base;
    })
  );
}

/** Reads components, their code, package locks and what registries know of files. */
export const componentReads = (
  query: Query,
): Pick<SyncReads, "component" | "componentByKey" | "componentByContent" | "text" | "lockKeys" | "registryFiles"> => ({
  component: (id) => readComponent(query, "id = ?", id),
  componentByKey: (userId, key) =>
    readComponent(query, "user_id = ? AND component.key = ? ORDER BY position DESC LIMIT 1", userId, key),
  componentByContent: (userId, contentHash) =>
    readComponent(query, "user_id = ? AND content_hash = ? ORDER BY position DESC LIMIT 1", userId, contentHash),
  text: (hash) => readText(query, hash),
  lockKeys: (componentIds) =>
    query
      .all<{ key: string }>(
        `SELECT DISTINCT key FROM package_lock WHERE hash IN (SELECT lock_hash FROM component WHERE id IN (
          SELECT value FROM json_each(?) UNION SELECT json_extract(record, '$.componentId') FROM source))`,
        JSON.stringify(componentIds),
      )
      .map(({ key }) => key),
  registryFiles: (registry) => query.all("SELECT id, record FROM registry_file WHERE registry = ?", registry),
});
