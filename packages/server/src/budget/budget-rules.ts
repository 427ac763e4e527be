/** Something that keeps bytes for somebody. */
export interface Keeping {
  readonly holder: string;
  readonly bytes: number;
  /** When its reader or sender last did something, in milliseconds. */
  readonly movedAt: number;
}

/** Whether one that had `bytes` beside the others' would stay within a bound. Alone it may be as large as it is. */
export const fitsBeside = (others: number, bytes: number, most: number): boolean =>
  others <= 0 || others + bytes <= most;

/** Of those that have not moved for a while, the one that stands still the longest; undefined when all move. */
export function findStalest<K extends Keeping>(
  kept: Iterable<K>,
  { now, patienceMs, holder }: { readonly now: number; readonly patienceMs: number; readonly holder?: string },
): K | undefined {
  let found: K | undefined;
  for (const each of kept) {
    if (each.bytes === 0 || now - each.movedAt < patienceMs) continue;
    if (holder !== undefined && each.holder !== holder) continue;
    if (!found || each.movedAt < found.movedAt) found = each;
  }
  return found;
}
