import { batch, computed, type ReadonlySignal, signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo } from "preact/hooks";

import { ApiError, type Query } from "./client.ts";
import { readByIds, readPage } from "./pages.ts";

/** A list that is read page by page, as it is shown. */
export interface PagedList<T> {
  /** Those that are there. */
  readonly rows: ReadonlySignal<readonly T[]>;
  /** How many the query finds; undefined before its answer. */
  readonly total: ReadonlySignal<number | undefined>;
  readonly loading: ReadonlySignal<boolean>;
  /** Why the last read or renewal failed; it stays until one works. */
  readonly error: ReadonlySignal<unknown>;
  /** True when `more` reads a page: there is one, and nothing is being read. False after a failure, until a read works. */
  readonly hasMore: ReadonlySignal<boolean>;
  /** Reads what a query finds. The old rows stay until the answer to the last query is there. */
  ask(query: Query): Promise<void>;
  /** Reads as many again. */
  reload(): Promise<void>;
  /** Reads the next page, if there is one. */
  more(): Promise<void>;
  /** Reads the items with these keys again, which are their ids. */
  renew(keys: readonly string[]): Promise<void>;
  /** Puts items in the places of those with their keys. */
  replace(items: readonly T[]): void;
  remove(key: string): void;
  close(): void;
}

export interface PagedListInput<T> {
  readonly path: string;
  /** Sent with every query. */
  readonly fields?: Query;
  readonly keyOf: (item: T) => string;
}

type Change<T> = (rows: readonly T[]) => readonly T[];

export function createPagedList<T>({ path, fields = {}, keyOf }: PagedListInput<T>): PagedList<T> {
  const rows = signal<readonly T[]>([]);
  const total = signal<number | undefined>(undefined);
  const loading = signal(true);
  const readError = signal<unknown>(undefined);
  const renewError = signal<unknown>(undefined);
  const error = computed(() => readError.value ?? renewError.value);
  const isWhole = (): boolean => rows.value.length >= (total.value ?? 0);
  const hasMore = computed(() => !loading.value && readError.value === undefined && !isWhole());
  let stop = new AbortController();
  let asked: Query = {};
  let cursor: string | undefined;
  /** Those since the last read began: its answer may be older. */
  let changes: Change<T>[] = [];

  /** Reads pages until there are so many items, or all: those after the rows, or all anew. */
  async function read(isMore: boolean, least: number): Promise<void> {
    stop.abort();
    stop = new AbortController();
    const { signal } = stop;
    const found: T[] = [];
    let after = isMore ? cursor : undefined;
    let count = 0;
    changes = [];
    loading.value = true;
    try {
      do {
        const { data, page_info } = await readPage<T>(path, { ...fields, ...asked, after }, signal);
        if (signal.aborted) return;
        found.push(...data);
        after = data.length === 0 ? undefined : page_info.end_cursor;
        count = page_info.total_count;
      } while (after !== undefined && found.length < least && found.length < count);
      batch(() => {
        const all = [...(isMore ? rows.value : []), ...found];
        const distinct = [...new Map(all.map((item) => [keyOf(item), item])).values()];
        rows.value = changes.reduce<readonly T[]>((items, change) => change(items), distinct);
        const removed = distinct.length - rows.value.length;
        total.value = after === undefined ? rows.value.length : count - removed;
        cursor = after;
        readError.value = undefined;
        renewError.value = undefined;
      });
    } catch (failure) {
      if (signal.aborted) return;
      // A list of something that does not exist is empty, such as a data store without keys.
      if (failure instanceof ApiError && failure.code === "not_found")
        batch(() => {
          rows.value = [];
          total.value = 0;
          cursor = undefined;
          readError.value = undefined;
        });
      else readError.value = failure;
    } finally {
      if (!signal.aborted) loading.value = false;
    }
  }

  function change(apply: Change<T>): void {
    if (loading.value) changes.push(apply);
    const before = rows.value;
    rows.value = apply(before);
    if (total.value !== undefined) total.value -= before.length - rows.value.length;
  }

  function replace(items: readonly T[]): void {
    const renewed = new Map(items.map((item) => [keyOf(item), item]));
    change((old) => old.map((row) => renewed.get(keyOf(row)) ?? row));
  }

  return {
    rows,
    total,
    loading,
    error,
    hasMore,
    ask(query) {
      asked = query;
      total.value = undefined;
      return read(false, 1);
    },
    reload: () => read(false, rows.value.length),
    more: () => (loading.value || isWhole() ? Promise.resolve() : read(true, 1)),
    async renew(keys) {
      try {
        replace(await readByIds<T>(path, keys, fields));
        renewError.value = undefined;
      } catch (failure) {
        renewError.value = failure;
      }
    },
    replace,
    remove: (key) => change((old) => old.filter((row) => keyOf(row) !== key)),
    close: () => stop.abort(),
  };
}

/** Shows what a query finds in a list, as long as the component is shown. */
export function useAsked<T, List extends PagedList<T>>(list: List, query: Query): List {
  // Before it is drawn: the rows of another query are not shown as the answer to this one.
  useLayoutEffect(() => void list.ask(query), [list, JSON.stringify(query)]);
  useEffect(() => list.close, [list]);
  return list;
}

/** A list of a path, and what a query finds in it. */
export function usePagedList<T>(input: PagedListInput<T>, query: Query): PagedList<T> {
  return useAsked(
    useMemo(() => createPagedList(input), [input.path, JSON.stringify(input.fields)]),
    query,
  );
}
