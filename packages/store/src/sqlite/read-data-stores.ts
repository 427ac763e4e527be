import type { DataStoreReads, DataStoreSize, DataStoreValue } from "../data-store-contract.ts";
import type { SyncReads } from "../reads.ts";
import type { Query } from "./query.ts";

const sizes = `SELECT name, count(*) AS keys, sum(octet_length(key) + octet_length(value)) AS bytes,
    max(updated_at) AS updatedAt FROM data_store WHERE user_id = ?`;

/** Reads data stores. */
export const dataStoreReads = (query: Query): Pick<SyncReads, keyof DataStoreReads> => ({
  dataStores: (userId, name) =>
    name === undefined
      ? query.all<DataStoreSize>(`${sizes} GROUP BY name ORDER BY name`, userId)
      : query.all<DataStoreSize>(`${sizes} AND name = ? GROUP BY name`, userId, name),
  dataStoreValues: (userId, name) =>
    query.all<DataStoreValue>(
      "SELECT key, value, updated_at AS updatedAt FROM data_store WHERE user_id = ? AND name = ?",
      userId,
      name,
    ),
  dataStoreValue: (userId, name, key) =>
    query.one<{ value: string }>(
      "SELECT value FROM data_store WHERE user_id = ? AND name = ? AND key = ?",
      userId,
      name,
      key,
    )?.value,
});
