import type { ExecutionSummary, Source } from "@x/client";

import { createPagedList, type PagedList } from "../api/paged-list.ts";

/** A source as the list shows it. */
export type SourceRow = Pick<Source, "id" | "name" | "name_slug" | "active" | "created_at"> & {
  readonly state?: NonNullable<Source["state"]>;
};

/** Sources, renewed where they change. */
export interface SourceList extends PagedList<SourceRow> {
  change(id: string, part: Partial<SourceRow>): void;
  /** Shows an execution that has just ended. */
  ended(execution: ExecutionSummary): void;
}

const path = "/users/me/sources";
const fields = { expand: "state", include: "id,name,name_slug,active,created_at,state" };

export function createSourceList(): SourceList {
  const list = createPagedList<SourceRow>({ path, fields, keyOf: ({ id }) => id });

  function change(id: string, part: Partial<SourceRow>): void {
    const row = list.rows.value.find((each) => each.id === id);
    if (row) list.replace([{ ...row, ...part }]);
  }

  return {
    ...list,
    change,
    ended(execution) {
      const row = list.rows.value.find(({ id }) => id === execution.source_id);
      if (row?.state) change(row.id, { state: { ...row.state, last_execution: execution } });
    },
  };
}
