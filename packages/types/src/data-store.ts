/**
 * `data_store`: values that the user's sources share. All methods are asynchronous. What a run writes is stored together with its
 * events, and only if it succeeds; of the values that several runs write to a key, the one that is stored last stays.
 */
export interface DataStore {
  /** The stored value, or undefined: `get<number>("count")`. */
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
