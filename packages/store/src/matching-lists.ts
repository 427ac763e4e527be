import { boundedCache, createBreath, monotonicMs, type Page, type Paged } from "@x/model";
import { listItems, type Listed } from "./list-items.ts";
import type { ListQuery } from "./queries.ts";
import { createSharedWork } from "./shared-work.ts";

/** A list, and which of its items are wanted. */
export interface MatchingList<T> {
  /** Names the list and the condition: their number is kept by it. */
  readonly key: string;
  read(page: ListQuery): Promise<Paged<T>>;
  matches(item: T): boolean | Promise<boolean>;
}

/** Reads pages of the items that match, of lists of any length. */
export interface MatchingLists {
  /**
   * A page of the items that match; `totalCount` is the number of all that do. The first page reads the whole list, with pauses for other work;
   * a page with a cursor reads from there until it is full, and has the number of a first page of the last minute. Equal calls that wait for
   * a running one share the next.
   */
  page<T extends Listed>(list: MatchingList<T>, page: Page): Promise<Paged<T>>;
}

/** Of a slice of the list. */
const sliceBytes = 256 * 1024;
const keptMs = 60_000;
const maxKept = 1_000;

async function* matching<T extends Listed>(
  { read, matches }: MatchingList<T>,
  cursors: Pick<Page, "after" | "before">,
): AsyncGenerator<T, void> {
  const breath = createBreath();
  for await (const item of listItems(read, { ...cursors, bytes: sliceBytes })) {
    if (await matches(item)) yield item;
    await breath();
  }
}

/** The first items that fit on a page, and if `counts` the number of all. */
async function fill<T>(
  items: AsyncIterable<T>,
  { limit, bytes }: Pick<Page, "limit" | "bytes">,
  counts: boolean,
): Promise<{ readonly fitting: T[]; readonly count: number }> {
  const fitting: T[] = [];
  let left = bytes ?? Number.POSITIVE_INFINITY;
  let count = 0;
  let isFull = false;
  for await (const item of items) {
    count += 1;
    if (!isFull && bytes !== undefined) left -= JSON.stringify(item).length;
    isFull ||= fitting.length > 0 && left < 0;
    if (!isFull) fitting.push(item);
    isFull ||= fitting.length >= limit;
    if (isFull && !counts) break;
  }
  return { fitting, count };
}

export function createMatchingLists(now: () => number = monotonicMs): MatchingLists {
  const shared = createSharedWork();
  const kept = boundedCache<{ readonly count: number; readonly at: number }>(maxKept);
  const keep = (key: string, count: number): number => {
    kept.set(key, { count, at: now() });
    return count;
  };
  const keptCount = (key: string): number | undefined => {
    const known = kept.get(key);
    return known && now() - known.at < keptMs ? known.count : undefined;
  };

  async function count<T extends Listed>(list: MatchingList<T>): Promise<number> {
    // Other pages may have waited for the same number.
    const known = keptCount(list.key);
    return known ?? keep(list.key, (await fill(matching(list, {}), { limit: 1 }, true)).count);
  }

  async function read<T extends Listed>(list: MatchingList<T>, page: Page): Promise<Paged<T>> {
    const { after, before } = page;
    const isFirst = after === undefined && before === undefined;
    const found = await fill(matching(list, page), page, isFirst);
    const isBackwards = before !== undefined && after === undefined;
    return {
      totalCount: isFirst
        ? keep(list.key, found.count)
        : (keptCount(list.key) ?? (await shared.do(list.key, () => count(list)))),
      items: isBackwards ? found.fitting.toReversed() : found.fitting,
    };
  }

  return {
    page: (list, page) => shared.do(JSON.stringify([list.key, page]), () => read(list, page)),
  };
}
