import type { ExecutionSummary, Source } from "@x/client";

import { request } from "../api/client.ts";
import { createPagedList, type PagedList } from "../api/paged-list.ts";
import type { Paged } from "../api/pages.ts";

/** A source as the list shows it. */
export type SourceRow = Pick<Source, "id" | "name" | "name_slug" | "active" | "created_at"> & {
  readonly state?: NonNullable<Source["state"]>;
};

/** Sources, renewed where they change. */
export interface SourceList extends PagedList<SourceRow> {
  /** Reads these sources again. */
  renew(ids: readonly string[]): Promise<void>;
  change(id: string, part: Partial<SourceRow>): void;
  /** Shows an execution that has just ended. */
  ended(execution: ExecutionSummary): void;
}

const path = "/users/me/sources";
const fields = { expand: "state", include: "id,name,name_slug,active,created_at,state" };
const maxIds = 100;

export function createSourceList(): SourceList {
  const list = createPagedList<SourceRow>({ path, fields, keyOf: ({ id }) => id });

  function change(id: string, part: Partial<SourceRow>): void {
    const row = list.rows.value.find((each) => each.id === id);
    if (row) list.replace([{ ...row, ...part }]);
  }

  return {
    ...list,
    async renew(ids) {
      if (ids.length === 0) return;
      const query = { ...fields, ids: ids.slice(0, maxIds).join(","), limit: maxIds };
      list.replace((await request<Paged<SourceRow>>("GET", path, { query })).data);
    },
    change,
    ended(execution) {
      const row = list.rows.value.find(({ id }) => id === execution.source_id);
      if (row?.state) change(row.id, { state: { ...row.state, last_execution: execution } });
    },
  };
}
