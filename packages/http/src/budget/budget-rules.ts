/** A reservation of bytes. */
export interface Keeping {
  readonly holder: string;
  readonly bytes: number;
  /** The time of the last progress, in milliseconds. */
  readonly movedAt: number;
}

/** True when `bytes` fit beside the `others` within `most`. A single reservation always fits. */
export const fitsBeside = (others: number, bytes: number, most: number): boolean =>
  others <= 0 || others + bytes <= most;

/** The reservation without progress for the longest time, at least `patienceMs`; undefined when there is none. */
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
