import { boundedCache, createBreath, monotonicMs, type Page, type Paged } from "@x/model";
import { listItems } from "./list-items.ts";
import type { ListQuery } from "./queries.ts";

interface Listed {
  readonly id: string;
}

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
   * a page with a cursor reads from there until it is full, and has the number of a first page of the last minute.
   */
  page<T extends Listed>(list: MatchingList<T>, page: Page): Promise<Paged<T>>;
}

const keptMs = 60_000;
const maxKept = 1_000;

async function* matching<T extends Listed>(
  { read, matches }: MatchingList<T>,
  cursors: Pick<Page, "after" | "before">,
): AsyncGenerator<T, void> {
  const breath = createBreath();
  for await (const item of listItems(read, cursors)) {
    if (await matches(item)) yield item;
    await breath();
  }
}

/** The first items that fit on a page, and the number of those that follow if `counts`. */
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
  const kept = boundedCache<{ readonly count: number; readonly at: number }>(maxKept);
  const keep = (key: string, count: number): number => {
    kept.set(key, { count, at: now() });
    return count;
  };

  async function countOf<T extends Listed>(list: MatchingList<T>): Promise<number> {
    const known = kept.get(list.key);
    if (known && now() - known.at < keptMs) return known.count;
    return keep(list.key, (await fill(matching(list, {}), { limit: 1 }, true)).count);
  }

  return {
    async page(list, page) {
      const { after, before } = page;
      const isFirst = after === undefined && before === undefined;
      const { fitting, count } = await fill(matching(list, page), page, isFirst);
      const isBackwards = before !== undefined && after === undefined;
      return {
        totalCount: isFirst ? keep(list.key, count) : await countOf(list),
        items: isBackwards ? fitting.toReversed() : fitting,
      };
    },
  };
}
