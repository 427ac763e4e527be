import type { ExecutionSummary, Source } from "@x/client";
import { type ReadonlySignal, signal } from "@preact/signals";

import { request } from "../api/client.ts";
import { type Paged, readPages } from "../api/pages.ts";

/** A source as the list shows it. */
export type SourceRow = Pick<Source, "id" | "name" | "name_slug" | "active" | "created_at"> & {
  readonly state?: NonNullable<Source["state"]>;
};

/** All sources, loaded page by page and renewed where they change. */
export interface SourceList {
  readonly rows: ReadonlySignal<readonly SourceRow[]>;
  readonly total: ReadonlySignal<number>;
  /** False when all pages are there. */
  readonly loading: ReadonlySignal<boolean>;
  readonly error: ReadonlySignal<unknown>;
  /** Loads all pages, or all again. */
  load(): Promise<void>;
  /** Reads these sources again. */
  renew(ids: readonly string[]): Promise<void>;
  change(id: string, part: Partial<SourceRow>): void;
  remove(id: string): void;
  /** Shows an execution that has just ended. */
  ended(execution: ExecutionSummary): void;
  close(): void;
}

const fields = { expand: "state", include: "id,name,name_slug,active,created_at,state" };
const maxIds = 100;

export function createSourceList(): SourceList {
  const rows = signal<readonly SourceRow[]>([]);
  const total = signal(0);
  const loading = signal(true);
  const error = signal<unknown>(undefined);
  let stop = new AbortController();

  function change(id: string, part: Partial<SourceRow>): void {
    rows.value = rows.value.map((row) => (row.id === id ? { ...row, ...part } : row));
  }

  return {
    rows,
    total,
    loading,
    error,
    async load() {
      stop.abort();
      stop = new AbortController();
      const { signal } = stop;
      const isFirst = rows.value.length === 0;
      const loaded: SourceRow[] = [];
      loading.value = true;
      error.value = undefined;
      try {
        for await (const page of readPages<SourceRow>("/users/me/sources", fields, signal)) {
          loaded.push(...page.data);
          total.value = page.page_info.total_count;
          // The first time every page is shown as it comes; later the old list stays until the new one is whole.
          if (isFirst) rows.value = [...loaded];
          if (loaded.length >= total.value) break;
        }
        rows.value = loaded;
      } catch (failure) {
        if (!signal.aborted) error.value = failure;
      } finally {
        if (!signal.aborted) loading.value = false;
      }
    },
    async renew(ids) {
      if (ids.length === 0) return;
      const query = { ...fields, ids: ids.slice(0, maxIds).join(","), limit: maxIds };
      const { data } = await request<Paged<SourceRow>>("GET", "/users/me/sources", { query, signal: stop.signal });
      const renewed = new Map(data.map((row) => [row.id, row]));
      rows.value = rows.value.map((row) => renewed.get(row.id) ?? row);
    },
    change,
    remove(id) {
      rows.value = rows.value.filter((row) => row.id !== id);
      total.value -= 1;
    },
    ended(execution) {
      const row = rows.value.find(({ id }) => id === execution.source_id);
      if (row?.state) change(row.id, { state: { ...row.state, last_execution: execution } });
    },
    close: () => stop.abort(),
  };
}
