import { Keyv, keyvStorageCapability } from "keyv";

import { XError } from "@x/model";
import type { Change, SourceDb, Store } from "./contract.ts";

/** The methods of a Keyv. Its promises must reject on errors. */
export interface KeyvLike {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<unknown>;
  delete(key: string): Promise<unknown>;
  throwOnErrors?: boolean;
}

/** What Keyv passes to an adapter without serialization. */
interface Entry {
  readonly value: unknown;
}

const parse = (text: string | undefined): Entry | undefined =>
  text === undefined ? undefined : { value: JSON.parse(text) as unknown };

/** The part of a store that sources' dbs need. */
export type DbStore = Pick<Store, "db" | "commit">;

/** A Keyv storage adapter that commits its writes to the source's db. Needs `serialization: false`. */
function sourceDbAdapter(store: DbStore, sourceId: string, now: () => number) {
  const setText = (key: string, value: string | undefined): Change => ({
    op: "db.set",
    sourceId,
    key,
    value,
    at: now(),
  });
  const write = (key: string, { value }: Entry, expires: number | undefined): Change => {
    if (expires !== undefined)
      throw new XError("invalid_options", ["ttl", "absent (values in a source's db do not expire)", "one"]);
    if (value === undefined) return setText(key, undefined);
    const text: string | undefined = JSON.stringify(value);
    if (text === undefined) throw new XError("invalid_parameter", ["value", "JSON data", typeof value]);
    return setText(key, text);
  };
  const remove = async (keys: string[]): Promise<boolean[]> => {
    const entries = await store.db(sourceId);
    const found = keys.map((key) => entries.has(key));
    await store.commit(keys.filter((_, index) => found[index]).map((key) => setText(key, undefined)));
    return found;
  };
  const getMany = async (keys: string[]): Promise<(Entry | undefined)[]> => {
    const entries = await store.db(sourceId);
    return keys.map((key) => parse(entries.get(key)));
  };
  const methods = {
    get: async (key: string) => parse((await store.db(sourceId)).get(key)),
    getMany,
    has: async (key: string) => (await store.db(sourceId)).has(key),
    async hasMany(keys: string[]) {
      const entries = await store.db(sourceId);
      return keys.map((key) => entries.has(key));
    },
    async set(key: string, entry: Entry, expires?: number) {
      await store.commit([write(key, entry, expires)]);
      return true;
    },
    async setMany(entries: { key: string; value: Entry; expires?: number }[]) {
      await store.commit(entries.map(({ key, value, expires }) => write(key, value, expires)));
      return entries.map(() => true);
    },
    delete: async (key: string) => (await remove([key])).includes(true),
    deleteMany: remove,
    async clear() {
      const entries = await store.db(sourceId);
      await store.commit([...entries.keys()].map((key) => setText(key, undefined)));
    },
    async *iterator(): AsyncGenerator<[string, Entry], void> {
      for (const [key, text] of await store.db(sourceId)) yield [key, { value: JSON.parse(text) as unknown }];
    },
  };
  return { ...methods, capabilities: keyvStorageCapability(methods) };
}

/** Makes a Keyv of a source's db. Its promises reject on errors, also when it has an error listener. */
export function createSourceDb(store: DbStore, sourceId: string, now: () => number): SourceDb {
  const keyv = new Keyv({
    store: sourceDbAdapter(store, sourceId, now),
    serialization: false,
    checkExpired: false,
  });
  // With an error listener, Keyv returns "missing" after an error; a listener that throws makes it reject.
  keyv.on("error", (error: unknown) => {
    throw error;
  });
  return keyv;
}

/** Dbs of sources in a Keyv of the embedder. */
export interface ExternalDb {
  load(sourceId: string): Promise<Map<string, string>>;
  /** Replaces the db of the source. */
  flush(sourceId: string, entries: ReadonlyMap<string, string>): Promise<void>;
  delete(sourceId: string): Promise<void>;
}

const entryKey = (sourceId: string): string => `db:${sourceId}`;

/** Counts the errors that a Keyv reports. With an error listener, promises reject in some versions only. */
function watchErrors(keyv: KeyvLike): () => { readonly count: number; readonly last: unknown } {
  // Makes version 5 reject.
  keyv.throwOnErrors = true;
  const seen = { count: 0, last: undefined as unknown };
  if ("on" in keyv && typeof keyv.on === "function") {
    keyv.on("error", (error: unknown) => {
      seen.count += 1;
      seen.last = error;
    });
  }
  return () => ({ ...seen });
}

function parseEntries(stored: unknown): Map<string, string> {
  if (stored === undefined || stored === null) return new Map();
  const entries = typeof stored === "object" && !Array.isArray(stored) ? Object.entries(stored) : undefined;
  if (!entries?.every((entry): entry is [string, string] => typeof entry[1] === "string")) {
    throw new Error("it is not an object of JSON texts");
  }
  return new Map(entries);
}

/** Stores each source's db as one entry of the given Keyv: key `db:<sourceId>`, value an object from key to JSON text. */
export function externalDb(keyv: KeyvLike): ExternalDb {
  const errors = watchErrors(keyv);
  const guard = async <T>(action: string, sourceId: string, work: () => Promise<T>): Promise<T> => {
    const before = errors().count;
    try {
      const result = await work();
      // This may count the error of a concurrent call: a needless failure is better than a false "missing".
      const { count, last } = errors();
      if (count > before) throw last;
      return result;
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      throw new XError("store_failed", [action, `Keyv entry ${entryKey(sourceId)}: ${problem}`], { cause: error });
    }
  };
  return {
    load: (sourceId) => guard("read a db", sourceId, async () => parseEntries(await keyv.get(entryKey(sourceId)))),
    flush: (sourceId, entries) =>
      guard("write a db", sourceId, async () => {
        const stored = await keyv.set(entryKey(sourceId), Object.fromEntries(entries));
        if (stored === false) throw errors().last ?? new Error("Keyv did not store it");
      }),
    delete: (sourceId) =>
      guard("delete a db", sourceId, async () => {
        await keyv.delete(entryKey(sourceId));
      }),
  };
}
