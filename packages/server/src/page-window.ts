/** Selects the items of a page from a list that is added in order. */
export interface PageWindow<T> {
  add(item: T, bytes: number): void;
  readonly items: readonly T[];
  readonly bytes: number;
}

/** Keeps the first items, with `fromEnd` the last ones, up to `limit` items and `bytes`, but at least one item. */
export function createPageWindow<T>({
  limit,
  bytes: most,
  fromEnd,
}: {
  readonly limit: number;
  readonly bytes: number;
  readonly fromEnd: boolean;
}): PageWindow<T> {
  const kept: { readonly item: T; readonly bytes: number }[] = [];
  let sum = 0;
  let isFull = false;
  return {
    add(item, bytes) {
      if (isFull) return;
      kept.push({ item, bytes });
      sum += bytes;
      while (kept.length > limit || (kept.length > 1 && sum > most)) {
        // A later, smaller item must not follow one that did not fit.
        isFull = !fromEnd;
        sum -= (fromEnd ? kept.shift() : kept.pop())?.bytes ?? 0;
      }
    },
    get items() {
      return kept.map(({ item }) => item);
    },
    get bytes() {
      return sum;
    },
  };
}
