/** Changes of data stores, which belong to users. */
export type DataStoreChange =
  /** `value` is JSON text; undefined deletes the key. */
  | {
      readonly op: "data_store.set";
      readonly userId: string;
      readonly name: string;
      readonly key: string;
      readonly value: string | undefined;
      readonly at: number;
    }
  /** Removes the data store with all its keys. */
  | { readonly op: "data_store.delete"; readonly userId: string; readonly name: string };

/** How much a data store holds. */
export interface DataStoreSize {
  readonly name: string;
  readonly keys: number;
  /** Of all keys and values. */
  readonly bytes: number;
  /** When a key was last set. */
  readonly updatedAt: number;
}

/** A key of a data store with its value. */
export interface DataStoreValue {
  readonly key: string;
  /** JSON text. */
  readonly value: string;
  readonly updatedAt: number;
}

/** Reads of data stores. One that has no key is the same as one that never had any. */
export interface DataStoreReads {
  /** The user's data stores by name: all, or the one with this name. */
  dataStores(userId: string, name?: string): Promise<readonly DataStoreSize[]>;
  /** All values of a data store, in no order. */
  dataStoreValues(userId: string, name: string): Promise<readonly DataStoreValue[]>;
  /** The value of a key, as JSON text. */
  dataStoreValue(userId: string, name: string, key: string): Promise<string | undefined>;
}
