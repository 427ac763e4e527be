/** `$.service.db`: values that stay between runs. Everything is synchronous. */
export interface Database {
  /** The stored value, undefined when there is none. `DbProp` names the types of all values at once. */
  // oxlint-disable-next-line typescript/no-explicit-any -- what nobody described is used unchecked
  get<T = any>(key: string | number): T | undefined;
  /** Stores JSON data; undefined removes the key. */
  set(key: string | number, value: unknown): void;
  /** True when there was such a key. */
  delete(key: string | number): boolean;
  has(key: string | number): boolean;
  /** Keys in alphabetical order, only those that begin with `prefix`. */
  keys(prefix?: string): string[];
}

/** `$.service.db` whose keys and values are those of `Shape`. */
export interface ShapedDatabase<Shape> {
  /** The stored value, undefined when there is none. */
  get<Key extends keyof Shape>(key: Key): Shape[Key] | undefined;
  /** Stores JSON data; undefined removes the key. */
  set<Key extends keyof Shape>(key: Key, value: Shape[Key] | undefined): void;
  /** True when there was such a key. */
  delete(key: keyof Shape): boolean;
  has(key: keyof Shape): boolean;
  /** Keys in alphabetical order, only those that begin with `prefix`. */
  keys(prefix?: string): string[];
}

declare const shape: unique symbol;

/** A `$.service.db` prop with named values: `db: "$.service.db" as DbProp<{ cursor: string }>`. */
export type DbProp<Shape> = ("$.service.db" | { readonly type: "$.service.db" }) & { readonly [shape]?: Shape };

/** What `this.<prop>` is for a `$.service.db` prop. */
export type DatabaseOf<P> = P extends { readonly [shape]?: infer Shape }
  ? unknown extends Shape
    ? Database
    : ShapedDatabase<NonNullable<Shape>>
  : Database;
