import type { Paged } from "../../model/model.ts";
import { countWithin } from "../byte-cut.ts";

/** The part of a newest-first list that a page is cut from; absent sides are open. */
export interface PageBounds<T> {
  readonly limit: number;
  /** Only items older than the cursor. */
  readonly isAfter?: ((index: number) => boolean) | undefined;
  /** Only items newer than the cursor. */
  readonly isBefore?: ((index: number) => boolean) | undefined;
  /** The sizes of all items of the page but the first fit into this. */
  readonly bytes?: number | undefined;
  readonly sizeOf?: (item: T) => number;
}

const jsonLength = (item: unknown): number => JSON.stringify(item).length;

/** One page of a list in list order. With `isBefore` alone: the items next to the cursor, not the first ones. */
export function cutPage<T>(newestFirst: readonly T[], bounds: PageBounds<T>): Paged<T> {
  const { limit, isAfter, isBefore, bytes, sizeOf = jsonLength } = bounds;
  const open = newestFirst.filter((_, index) => (!isAfter || isAfter(index)) && (!isBefore || isBefore(index)));
  const isFromEnd = isBefore !== undefined && isAfter === undefined;
  const limited = isFromEnd ? open.slice(-limit).toReversed() : open.slice(0, limit);
  const items = bytes === undefined ? limited : limited.slice(0, countWithin(limited, sizeOf, bytes));
  return { totalCount: newestFirst.length, items: isFromEnd ? items.toReversed() : items };
}
