/** Observed values by their size. */
export interface Histogram {
  /** Upper bounds of the buckets, inclusive, ascending. */
  readonly bounds: readonly number[];
  /** Number of values in each bucket; the last one, beyond `bounds`, has the values above the last bound. */
  readonly counts: readonly number[];
  readonly count: number;
  readonly sum: number;
}

/** Counts values in buckets. */
export interface Buckets {
  add(value: number): void;
  /** A copy. */
  read(): Histogram;
}

/** From a tenth of a millisecond to a run's longest time. */
export const durationBounds: readonly number[] = [
  0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 300_000,
];

/** Numbers of things that are done together. */
export const sizeBounds: readonly number[] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/** Empty buckets with these upper bounds, which are ascending. */
export function createBuckets(bounds: readonly number[]): Buckets {
  const counts = Array.from({ length: bounds.length + 1 }, () => 0);
  let count = 0;
  let sum = 0;
  return {
    add(value) {
      let bucket = 0;
      while (bucket < bounds.length && value > (bounds[bucket] ?? Infinity)) bucket += 1;
      counts[bucket] = (counts[bucket] ?? 0) + 1;
      count += 1;
      sum += value;
    },
    read: () => ({ bounds, counts: [...counts], count, sum }),
  };
}
