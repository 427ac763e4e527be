/** Values by key that were set lately. */
export interface Recent<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value, now: number): void;
  delete(key: string): void;
  entries(): Iterable<readonly [key: string, value: Value]>;
}

/** Most values of one generation. */
const maxNew = 10_000;

/**
 * Keeps a value for at least `ms` and at most twice as long after it was set, or for as long as 10,000 other keys are set.
 * A bounded cache would hold the ids of deleted sources until as many new ones come.
 */
export function createRecent<Value>(ms: number): Recent<Value> {
  let fresh = new Map<string, Value>();
  let old = new Map<string, Value>();
  let since = -Infinity;
  return {
    get: (key) => fresh.get(key) ?? old.get(key),
    set(key, value, now) {
      if (now - since >= ms || fresh.size >= maxNew) {
        old = now - since >= 2 * ms ? new Map() : fresh;
        fresh = new Map();
        since = now;
      }
      old.delete(key);
      fresh.set(key, value);
    },
    delete(key) {
      fresh.delete(key);
      old.delete(key);
    },
    *entries() {
      yield* old;
      yield* fresh;
    },
  };
}
