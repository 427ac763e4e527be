import type { DbEntry } from "../api/api.ts";
import { dataStoreNameRule, isDataStoreName } from "@x/components";
import { XError, type Clock, type Json, type Limits } from "@x/model";
import type { DataStoreSize, Store } from "@x/store";
import { CallDataStores } from "./call-data-stores.ts";
import { checkSize, shownEntries } from "./stored-value.ts";

/** The data stores of users, outside of runs. */
export interface DataStores {
  /** By name. */
  list(userId: string): Promise<readonly DataStoreSize[]>;
  /** Sorted by key. */
  entries(name: string, userId: string): Promise<readonly DbEntry[]>;
  /** Undefined if the data store has no such key. */
  value(name: string, key: string, userId: string): Promise<Json | undefined>;
  /** Sets keys to JSON values, in one commit; undefined deletes a key. */
  write(
    name: string,
    values: readonly (readonly [key: string, value: Json | undefined])[],
    userId: string,
  ): Promise<void>;
  /** Rejects with `not_found`. */
  deleteKey(name: string, key: string, userId: string): Promise<void>;
  /** Removes all keys. Rejects with `not_found`. */
  delete(name: string, userId: string): Promise<void>;
}

export interface DataStoresParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly limits: Limits;
}

export function createDataStores({ store, clock, limits }: DataStoresParts): DataStores {
  const notFound = (what: string, name: string): XError => new XError("not_found", [what, name]);
  return {
    list: (userId) => store.dataStores(userId),
    entries: async (name, userId) => shownEntries(await store.dataStoreValues(userId, name)),
    async value(name, key, userId) {
      const text = await store.dataStoreValue(userId, name, key);
      return text === undefined ? undefined : (JSON.parse(text) as Json);
    },
    async write(name, values, userId) {
      if (!isDataStoreName(name))
        throw new XError("invalid_parameter", ["name", dataStoreNameRule, JSON.stringify(name.slice(0, 100))]);
      const written = new CallDataStores({ store, userId, limits });
      for (const [key, given] of values) {
        const value = given === undefined ? undefined : JSON.stringify(given);
        checkSize(key, value, limits);
        await written.answer({ name, key, op: value === undefined ? "delete" : "set", value: value ?? "" });
      }
      await store.commit(written.changes(clock.now()));
    },
    async deleteKey(name, key, userId) {
      if ((await store.dataStoreValue(userId, name, key)) === undefined) throw notFound("data store key", key);
      await store.commit([{ op: "data_store.set", userId, name, key, value: undefined, at: clock.now() }]);
    },
    async delete(name, userId) {
      if ((await store.dataStores(userId, name)).length === 0) throw notFound("data store", name);
      await store.commit([{ op: "data_store.delete", userId, name }]);
    },
  };
}
