/** `$.service.db`: values that persist between runs. All methods are synchronous. */
export interface Database {
  /** The stored value, or undefined. `DbProp` declares the types of all values. */
  // oxlint-disable-next-line typescript/no-explicit-any -- an undeclared value is used unchecked
  get<T = any>(key: string | number): T | undefined;
  /** Stores a JSON value; undefined deletes the key. */
  set(key: string | number, value: unknown): void;
  /** True when the key existed. */
  delete(key: string | number): boolean;
  has(key: string | number): boolean;
  /** Keys that start with `prefix`, sorted. Default: all. */
  keys(prefix?: string): string[];
}

/** `$.service.db` with the keys and values of `Shape`. */
export interface ShapedDatabase<Shape> {
  /** The stored value, or undefined. */
  get<Key extends keyof Shape>(key: Key): Shape[Key] | undefined;
  /** Stores a JSON value; undefined deletes the key. */
  set<Key extends keyof Shape>(key: Key, value: Shape[Key] | undefined): void;
  /** True when the key existed. */
  delete(key: keyof Shape): boolean;
  has(key: keyof Shape): boolean;
  /** Keys that start with `prefix`, sorted. Default: all. */
  keys(prefix?: string): string[];
}

declare const shape: unique symbol;

/** A `$.service.db` prop with typed values: `db: "$.service.db" as DbProp<{ cursor: string }>`. */
export type DbProp<Shape> = ("$.service.db" | { readonly type: "$.service.db" }) & { readonly [shape]?: Shape };

/** What `this.<prop>` is for a `$.service.db` prop. */
export type DatabaseOf<P> = P extends { readonly [shape]?: infer Shape }
  ? unknown extends Shape
    ? Database
    : ShapedDatabase<NonNullable<Shape>>
  : Database;
