/** The value below which this share of all lies; NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Median, 99th percentile and greatest value, as text. */
export const quantiles = (values: readonly number[]): string =>
  [0.5, 0.99, 1].map((share) => quantile(values, share).toFixed(1)).join(" / ");
