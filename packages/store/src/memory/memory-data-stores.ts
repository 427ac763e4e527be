import type { DataStoreChange, DataStoreReads, DataStoreSize } from "../data-store-contract.ts";
import type { SyncReads } from "../reads.ts";
import { put, putNested, type Tables, type Undo } from "./memory-tables.ts";

type Applier<Op> = (tables: Tables, change: Extract<DataStoreChange, { op: Op }>, undo: Undo) => void;

export const dataStoreAppliers: { readonly [Op in DataStoreChange["op"]]: Applier<Op> } = {
  "data_store.set"(tables, { userId, name, key, value, at }, undo) {
    const stored = value === undefined ? undefined : { value, updatedAt: at };
    putNested(tables.dataStores, `${userId} ${name}`, key, stored, undo);
  },
  "data_store.delete": (tables, { userId, name }, undo) => put(tables.dataStores, `${userId} ${name}`, undefined, undo),
};

/** Reads data stores. */
export function dataStoreReads(tables: Tables): Pick<SyncReads, keyof DataStoreReads> {
  const sizeOf = (userId: string, name: string): DataStoreSize[] => {
    const rows = [...(tables.dataStores.get(`${userId} ${name}`) ?? [])];
    if (rows.length === 0) return [];
    const bytes = rows.reduce((sum, [key, { value }]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
    return [
      {
        name,
        keys: rows.length,
        bytes,
        updatedAt: rows.reduce((newest, [, row]) => Math.max(newest, row.updatedAt), 0),
      },
    ];
  };
  return {
    dataStores(userId, name) {
      if (name !== undefined) return sizeOf(userId, name);
      const owner = `${userId} `;
      const names = [...tables.dataStores.keys()].filter((each) => each.startsWith(owner));
      return names.toSorted().flatMap((each) => sizeOf(userId, each.slice(owner.length)));
    },
    dataStoreValues: (userId, name) =>
      [...(tables.dataStores.get(`${userId} ${name}`) ?? [])].map(([key, stored]) => ({ key, ...stored })),
    dataStoreValue: (userId, name, key) => tables.dataStores.get(`${userId} ${name}`)?.get(key)?.value,
  };
}
