import { type Component, type ComponentRow, parseComponent, type RegistryFile } from "@x/runtime/store";

import { unpackText } from "./packed-text.ts";
import type { Query } from "./query.ts";
import type { Reads } from "./reads.ts";

/** Reads the first component that meets the condition. */
async function readComponent(query: Query, condition: string, ...values: string[]): Promise<Component | undefined> {
  const sql = `SELECT c.record, l.record AS lock
    FROM @component c LEFT JOIN @package_lock l ON l.hash = c.lock_hash WHERE ${condition}`;
  const row = await query.one<ComponentRow>(sql, ...values);
  return row && parseComponent(row);
}

const newest = "ORDER BY c.position DESC LIMIT 1";

/** Reads components with their texts, and the records of registries about them. */
export const componentReads = (
  query: Query,
): Pick<Reads, "component" | "componentByKey" | "componentByContent" | "text" | "lockKeys" | "registryFiles"> => ({
  component: (id) => readComponent(query, "c.id = $1", id),
  componentByKey: (userId, key) => readComponent(query, `c.user_id = $1 AND c.key = $2 ${newest}`, userId, key),
  componentByContent: (userId, contentHash) =>
    readComponent(query, `c.user_id = $1 AND c.content_hash = $2 ${newest}`, userId, contentHash),
  async text(hash) {
    const row = await query.one<{ data: Uint8Array }>("SELECT data FROM @text WHERE hash = $1", hash);
    return row && unpackText(row.data);
  },
  async lockKeys(componentIds) {
    const rows = await query.all<{ key: string }>(
      `SELECT DISTINCT l.key FROM @package_lock l JOIN @component c ON c.lock_hash = l.hash
        WHERE c.id = ANY ($1::text[]) OR c.id IN (SELECT component_id FROM @source)`,
      componentIds,
    );
    return rows.map(({ key }) => key);
  },
  registryFiles: (registry) =>
    query.all<RegistryFile>("SELECT id, record FROM @registry_file WHERE registry = $1", registry),
});
