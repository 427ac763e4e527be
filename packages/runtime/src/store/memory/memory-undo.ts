import { XError } from "../../model/errors.ts";
import type { Placed, Tables } from "./memory-tables.ts";

/** Steps that take changes back, in the order of the changes. */
export type Undo = (() => void)[];

/** Ends a commit: nothing of it is applied. */
export const refuse: (problem: string) => never = (problem) => {
  throw new XError("store_failed", ["commit", problem]);
};

/** Sets or deletes an entry. */
export function put<K, V>(map: Map<K, V>, key: K, value: V | undefined, undo: Undo): void {
  const had = map.has(key);
  const old = map.get(key);
  if (value === undefined) map.delete(key);
  else map.set(key, value);
  undo.push(() => {
    if (had) map.set(key, old as V);
    else map.delete(key);
  });
}

/** Sets or deletes an entry of a map in a map. */
export function putNested<K, L, V>(map: Map<K, Map<L, V>>, key: K, inner: L, value: V | undefined, undo: Undo): void {
  let nested = map.get(key);
  if (!nested) {
    if (value === undefined) return;
    nested = new Map();
    put(map, key, nested, undo);
  }
  put(nested, inner, value, undo);
}

/** Sets a value at the end of its list, or in the place it has. */
export function putPlaced<V extends { readonly id: string }>(
  tables: Tables,
  map: Map<string, Placed<V>>,
  value: V,
  undo: Undo,
): number {
  const place = map.get(value.id)?.place ?? ++tables.lastPlace;
  put(map, value.id, { value, place }, undo);
  return place;
}
