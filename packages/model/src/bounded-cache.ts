import { LRUCache } from "lru-cache";

/** A cache of the entries that were used last. */
export interface BoundedCache<Value> {
  readonly size: number;
  get(key: string): Value | undefined;
  has(key: string): boolean;
  set(key: string, value: Value): void;
  delete(key: string): boolean;
}

/**
 * Makes a cache of at most `most` entries that grows with its entries: with `max` the library would allocate room for all of them
 * at once, in each runtime.
 */
export function boundedCache<Value extends string | number | boolean | object>(most: number): BoundedCache<Value> {
  const cache = new LRUCache<string, Value>({ maxSize: most, sizeCalculation: () => 1 });
  return {
    get size() {
      return cache.size;
    },
    get: (key) => cache.get(key),
    has: (key) => cache.has(key),
    set: (key, value) => void cache.set(key, value),
    delete: (key) => cache.delete(key),
  };
}
