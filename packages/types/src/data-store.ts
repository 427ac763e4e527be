/**
 * `data_store`: values that the user's sources share. All methods are asynchronous. What a run writes is stored together with its
 * events, and only if it succeeds; of the values that several runs write to a key, the one that is stored last stays.
 */
export interface DataStore {
  /** The stored value, or undefined. `DataStoreProp` declares the types of all values. */
  // oxlint-disable-next-line typescript/no-explicit-any -- an undeclared value is used unchecked
  get<T = any>(key: string | number): Promise<T | undefined>;
  /** Stores a JSON value; undefined deletes the key. */
  set(key: string | number, value: unknown): Promise<void>;
  has(key: string | number): Promise<boolean>;
  /** True when the key existed. */
  delete(key: string | number): Promise<boolean>;
  /** All keys, sorted. */
  keys(): Promise<string[]>;
  /** All keys with their values, sorted by key. */
  // oxlint-disable-next-line typescript/no-explicit-any -- an undeclared value is used unchecked
  entries(): Promise<[key: string, value: any][]>;
  /** The number of keys. */
  size(): Promise<number>;
}

/** `data_store` with the keys and values of `Shape`. */
export interface ShapedDataStore<Shape> {
  /** The stored value, or undefined. */
  get<Key extends keyof Shape>(key: Key): Promise<Shape[Key] | undefined>;
  /** Stores a JSON value; undefined deletes the key. */
  set<Key extends keyof Shape>(key: Key, value: Shape[Key] | undefined): Promise<void>;
  has(key: keyof Shape): Promise<boolean>;
  /** True when the key existed. */
  delete(key: keyof Shape): Promise<boolean>;
  /** All keys, sorted. */
  keys(): Promise<string[]>;
  /** All keys with their values, sorted by key. */
  entries(): Promise<[key: string, value: Shape[keyof Shape]][]>;
  /** The number of keys. */
  size(): Promise<number>;
}

declare const shape: unique symbol;

/** A `data_store` prop with typed values: `{ type: "data_store" } as DataStoreProp<{ total: number }>`. */
export type DataStoreProp<Shape> = { readonly type: "data_store" } & { readonly [shape]?: Shape };

/** What `this.<prop>` is for a `data_store` prop. */
export type DataStoreOf<P> = P extends { readonly [shape]?: infer Shape }
  ? unknown extends Shape
    ? DataStore
    : ShapedDataStore<NonNullable<Shape>>
  : DataStore;
