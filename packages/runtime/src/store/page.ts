import type { Paged } from "../model.ts";

/** The part of a newest-first list that a page is cut from; absent sides are open. */
export interface PageBounds {
  readonly limit: number;
  /** Only items older than the cursor. */
  readonly isAfter?: ((index: number) => boolean) | undefined;
  /** Only items newer than the cursor. */
  readonly isBefore?: ((index: number) => boolean) | undefined;
}

/** One page of a list in list order. With `isBefore` alone: the items next to the cursor, not the first ones. */
export function cutPage<T>(newestFirst: readonly T[], bounds: PageBounds): Paged<T> {
  const { limit, isAfter, isBefore } = bounds;
  const open = newestFirst.filter((_, index) => (!isAfter || isAfter(index)) && (!isBefore || isBefore(index)));
  const items = isBefore && !isAfter ? open.slice(-limit) : open.slice(0, limit);
  return { totalCount: newestFirst.length, items };
}
