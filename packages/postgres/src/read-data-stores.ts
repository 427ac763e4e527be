import type { DataStoreReads, DataStoreSize, DataStoreValue } from "@x/runtime/store";

import type { Query } from "./query.ts";

const sizes = `SELECT name, count(*) AS keys, sum(octet_length(key) + octet_length(value))::int8 AS bytes,
    max(updated_at) AS "updatedAt" FROM @data_store WHERE user_id = $1`;

/** Reads data stores. */
export const dataStoreReads = (query: Query): DataStoreReads => ({
  dataStores: (userId, name) =>
    name === undefined
      ? query.all<DataStoreSize>(`${sizes} GROUP BY name ORDER BY name`, userId)
      : query.all<DataStoreSize>(`${sizes} AND name = $2 GROUP BY name`, userId, name),
  dataStoreValues: (userId, name) =>
    query.all<DataStoreValue>(
      `SELECT key, value, updated_at AS "updatedAt" FROM @data_store WHERE user_id = $1 AND name = $2`,
      userId,
      name,
    ),
  async dataStoreValue(userId, name, key) {
    const sql = "SELECT value FROM @data_store WHERE user_id = $1 AND name = $2 AND key = $3";
    return (await query.one<{ value: string }>(sql, userId, name, key))?.value;
  },
});
