/** A value at a time in milliseconds. */
export interface Sample {
  readonly at: number;
  readonly value: number;
}

/** The line of least squares through samples. */
export interface Slope {
  /** Change of the value in an hour. */
  readonly perHour: number;
  /** Standard error of it: with twice as much on both sides, the true slope is inside in 19 of 20 cases. */
  readonly error: number;
}

const hourMs = 3_600_000;

/** The slope of samples; undefined for fewer than three, or when all have the same time. */
export function slopeOf(samples: readonly Sample[]): Slope | undefined {
  const count = samples.length;
  if (count < 3) return undefined;
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / count;
  const hours = samples.map(({ at }) => at / hourMs);
  const values = samples.map(({ value }) => value);
  const [middle, level] = [mean(hours), mean(values)];
  const spread = hours.reduce((sum, hour) => sum + (hour - middle) ** 2, 0);
  if (spread === 0) return undefined;
  const perHour =
    hours.reduce((sum, hour, index) => sum + (hour - middle) * ((values[index] ?? 0) - level), 0) / spread;
  const rest = hours.reduce(
    (sum, hour, index) => sum + ((values[index] ?? 0) - level - perHour * (hour - middle)) ** 2,
    0,
  );
  return { perHour, error: Math.sqrt(rest / (count - 2) / spread) };
}

/** The middle one by value of each group of this size, in order; what is left of the last group does not count. */
export function middlesOf(samples: readonly Sample[], size: number): readonly Sample[] {
  const groups = Array.from({ length: Math.floor(samples.length / size) }, (_, n) =>
    samples.slice(n * size, (n + 1) * size),
  );
  return groups.flatMap((group) => group.toSorted((a, b) => a.value - b.value)[Math.floor(size / 2)] ?? []);
}
