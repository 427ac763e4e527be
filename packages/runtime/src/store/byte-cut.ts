/** How many of these items a page takes, in their order: the first in any case, then as long as all fit into `most`. */
export function countWithin<T>(items: readonly T[], sizeOf: (item: T) => number, most: number): number {
  let sum = 0;
  const beyond = items.findIndex((item, index) => {
    sum += sizeOf(item);
    return index > 0 && sum > most;
  });
  return beyond === -1 ? items.length : beyond;
}
