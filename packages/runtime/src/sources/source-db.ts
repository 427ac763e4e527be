import type { DbEntry } from "../api/api.ts";
import type { Dispatcher, Limits } from "@x/model";
import { checkSize, shownEntries } from "../data-stores/stored-value.ts";
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
  return shownEntries([...db].map(([key, value]) => ({ key, value, updatedAt: times.get(key) ?? null })));
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
