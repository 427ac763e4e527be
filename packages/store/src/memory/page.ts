import { cursorPositions, type Paged } from "@x/model";
import { countWithin } from "../byte-cut.ts";
import type { ListQuery } from "../queries.ts";
import type { Positioned } from "./memory-tables.ts";

/** The part of a newest-first list that a page is cut from; absent sides are open. */
export interface PageBounds<T> {
  readonly limit: number;
  /** Only items older than the cursor. */
  readonly isAfter?: ((item: T) => boolean) | undefined;
  /** Only items newer than the cursor. */
  readonly isBefore?: ((item: T) => boolean) | undefined;
  /** Limit of all sizes together; the first item is on the page in any case. */
  readonly bytes?: number | undefined;
  readonly sizeOf: (item: T) => number;
}

/** Cuts one page from a list. With `isBefore` alone it has the items next to the cursor, not the first ones. */
export function cutPage<T>(newestFirst: readonly T[], bounds: PageBounds<T>): Paged<T> {
  const { limit, isAfter, isBefore, bytes, sizeOf } = bounds;
  const open = newestFirst.filter((item) => (!isAfter || isAfter(item)) && (!isBefore || isBefore(item)));
  const isFromEnd = isBefore !== undefined && isAfter === undefined;
  const limited = isFromEnd ? open.slice(-limit).toReversed() : open.slice(0, limit);
  const items = bytes === undefined ? limited : limited.slice(0, countWithin(limited, sizeOf, bytes));
  return { totalCount: newestFirst.length, items: isFromEnd ? items.toReversed() : items };
}

/** Cuts a page by the positions of its cursors. Throws `invalid_parameter` for a cursor without a position. */
export function cutListPage<T>(
  newestFirst: readonly Positioned<T>[],
  page: ListQuery,
  positionOf: (id: string) => number | undefined,
): Paged<T> {
  const { after, before } = cursorPositions(page, positionOf);
  const { totalCount, items } = cutPage(newestFirst, {
    limit: page.limit,
    bytes: page.bytes,
    isAfter: after === undefined ? undefined : ({ position }) => position < after,
    isBefore: before === undefined ? undefined : ({ position }) => position > before,
    sizeOf: ({ value }) => JSON.stringify(value).length,
  });
  return { totalCount: page.total === false ? 0 : totalCount, items: items.map(({ value }) => value) };
}
