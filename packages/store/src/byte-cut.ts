/** Counts the leading items whose sizes together are at most `most`; at least one. */
export function countWithin<T>(items: readonly T[], sizeOf: (item: T) => number, most: number): number {
  let sum = 0;
  const beyond = items.findIndex((item, index) => {
    sum += sizeOf(item);
    return index > 0 && sum > most;
  });
  return beyond === -1 ? items.length : beyond;
}
