import type { DbEntry } from "../api/api.ts";
import { XError, inSlices, mapInSteps, type Dispatcher, type Json, type Limits } from "@x/model";
import type { ExternalDb, SourceCache } from "../invocation/lane/source-cache.ts";
import type { Change, Store } from "@x/store";

export interface LaneDbParts {
  readonly store: Store;
  readonly externalDb: ExternalDb | undefined;
  readonly sourceCache: SourceCache;
  readonly dispatcher: Dispatcher;
  readonly limits: Limits;
}

/** The current db of a source, sorted by key; `updatedAt` is null with an external db. */
export async function readDbEntries(sourceId: string, parts: LaneDbParts): Promise<DbEntry[]> {
  const { store, externalDb, sourceCache } = parts;
  const { db } = await sourceCache.get(sourceId);
  const times = externalDb ? new Map<string, number>() : await store.dbTimes(sourceId);
  // There may be 200,000 of them: to sort texts, and to parse all values as one list, takes a fraction of the time.
  const keys = [...db.keys()].sort();
  const values = JSON.parse(`[${keys.map((key) => db.get(key)).join(",")}]`) as Json[];
  return inSlices(
    mapInSteps(keys, (key, index): DbEntry => {
      return { key, value: values[index] ?? null, updatedAt: times.get(key) ?? null };
    }),
  );
}

/** Throws for a key or value (JSON text) that exceeds the limits of components. */
export function checkSize(key: string, value: string | undefined, limits: Limits): void {
  const keyBytes = Buffer.byteLength(key);
  if (key === "" || keyBytes > limits.dbKeyBytes)
    throw new XError("invalid_parameter", ["key", `1 to ${limits.dbKeyBytes} bytes`, `${keyBytes} bytes`]);
  if (!key.isWellFormed())
    throw new XError("invalid_parameter", [
      "key",
      "whole characters",
      `${JSON.stringify(key)}, with half of a surrogate pair`,
    ]);
  const bytes = value === undefined ? 0 : Buffer.byteLength(value);
  if (bytes > limits.dbValueBytes)
    throw new XError("db_value_too_large", [key, String(limits.dbValueBytes), String(bytes)]);
}

/** Access to a source's db outside of its runs. Writes wait for the source's lane; its next run sees them. */
export function laneDb(parts: LaneDbParts): Pick<Store, "db" | "commit"> {
  const { store, externalDb, sourceCache, dispatcher, limits } = parts;

  async function write(sourceId: string, changes: readonly Extract<Change, { op: "db.set" }>[]): Promise<void> {
    // Rejects when the source is deleted.
    const values = new Map((await sourceCache.get(sourceId)).db);
    if (externalDb) {
      for (const { key, value } of changes) {
        if (value === undefined) values.delete(key);
        else values.set(key, value);
      }
      await externalDb.flush(sourceId, values);
    } else await store.commit(changes);
    sourceCache.forget(sourceId);
  }

  return {
    db: async (sourceId) => new Map((await sourceCache.get(sourceId)).db),
    async commit(changes) {
      const writes = changes.filter((change) => change.op === "db.set");
      for (const { key, value } of writes) checkSize(key, value, limits);
      for (const [sourceId, own] of Map.groupBy(writes, (change) => change.sourceId))
        await dispatcher.run(sourceId, () => write(sourceId, own), "first");
    },
  };
}
