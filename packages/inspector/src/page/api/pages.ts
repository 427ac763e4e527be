import { type Query, request } from "./client.ts";

/** A page of a list. */
export interface Paged<T> {
  readonly page_info: {
    readonly total_count: number;
    readonly count: number;
    readonly start_cursor: string;
    readonly end_cursor: string;
  };
  readonly data: readonly T[];
}

/** Most items of one page. */
export const pageSize = 100;

/** Reads one page of a list. */
export const readPage = <T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<Paged<T>> =>
  request<Paged<T>>("GET", path, { query: { limit: pageSize, ...query }, ...(signal && { signal }) });

/** How many items a list has. */
export async function readCount(path: string, query: Query, signal: AbortSignal): Promise<number> {
  return (await readPage(path, { ...query, limit: 1, include: "id" }, signal)).page_info.total_count;
}

/** Reads the items of a list with these ids. */
export async function readByIds<T>(
  path: string,
  ids: readonly string[],
  query: Query,
  signal?: AbortSignal,
): Promise<readonly T[]> {
  const parts = Array.from({ length: Math.ceil(ids.length / pageSize) }, (_, part) =>
    ids.slice(part * pageSize, (part + 1) * pageSize).join(","),
  );
  const pages = await Promise.all(parts.map((some) => readPage<T>(path, { ...query, ids: some }, signal)));
  return pages.flatMap(({ data }) => data);
}

/** Reads a list page by page, from its beginning. */
export async function* readPages<T>(path: string, query: Query = {}, signal?: AbortSignal): AsyncGenerator<Paged<T>> {
  for (let after: string | undefined; ;) {
    const page = await readPage<T>(path, { ...query, after }, signal);
    yield page;
    if (page.data.length === 0 || page.page_info.end_cursor === "" || page.page_info.end_cursor === after) return;
    after = page.page_info.end_cursor;
  }
}

/** Reads a whole list of at most `most` items. */
export async function readAll<T>(path: string, query: Query = {}, most = 10_000, signal?: AbortSignal): Promise<T[]> {
  const items: T[] = [];
  for await (const page of readPages<T>(path, query, signal)) {
    items.push(...page.data);
    if (items.length >= most || items.length >= page.page_info.total_count) break;
  }
  return items;
}
