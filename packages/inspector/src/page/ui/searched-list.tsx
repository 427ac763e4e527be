import type { ComponentChildren, JSX } from "preact";
import { useRef } from "preact/hooks";

import { type PagedList, type PagedListInput, usePagedList } from "../api/paged-list.ts";
import { pageSize } from "../api/pages.ts";
import { place } from "../app/router.ts";
import { useTypedSearch } from "../app/typed-search.ts";
import { count } from "../text/format.ts";
import { Button } from "./button.tsx";
import { SearchBox } from "./search-box.tsx";
import { Empty, Loading, Problem } from "./status.tsx";

/** A list with the search of the address. */
export interface Searched<T> {
  readonly list: PagedList<T>;
  readonly search: string;
  readonly setSearch: (text: string) => void;
  /** True when nothing is searched: the list has all items. */
  readonly isAll: boolean;
}

export function useSearchedList<T>(input: PagedListInput<T>): Searched<T> {
  const [search, setSearch] = useTypedSearch();
  const q = place.value.query.get("q") ?? "";
  return { list: usePagedList(input, { q }), search, setSearch, isAll: q === "" };
}

interface SearchedListProps<T> {
  /** What the search is called. */
  readonly label: string;
  readonly searched: Searched<T>;
  /** Shown when there is no item at all. */
  readonly empty: ComponentChildren;
  /** Shows some of the items. */
  readonly children: (shown: readonly T[]) => ComponentChildren;
}

/** The items that are read, more of them when asked, and a search where there are more than a page. */
export function SearchedList<T>({ label, searched, empty, children }: SearchedListProps<T>): JSX.Element {
  const { list, search, setSearch, isAll } = searched;
  const rows = list.rows.value;
  const total = list.total.value;
  const left = (total ?? 0) - rows.length;
  // Once there, it stays: somebody may be typing in it.
  const hasSearch = useRef(false);
  hasSearch.current ||= !isAll || (total ?? 0) > pageSize;
  return (
    <>
      {list.error.value !== undefined && <Problem error={list.error.value} retry={() => void list.reload()} />}
      {hasSearch.current && (
        <div class="long-search">
          <SearchBox label={label} value={search} change={setSearch} />
        </div>
      )}
      {rows.length > 0 ? (
        children(rows)
      ) : list.loading.value ? (
        <Loading />
      ) : (
        total !== undefined && (isAll ? empty : <Empty title="Nothing matches" />)
      )}
      {left > 0 && (
        <div class="card-body">
          <Button label={`Show more of ${count(left)}`} act={list.more} />
        </div>
      )}
    </>
  );
}
