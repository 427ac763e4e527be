import type { ExecutionSummary } from "@x/client";
import { type ReadonlySignal, signal } from "@preact/signals";

import { followBatches } from "../api/follow-batches.ts";
import type { FollowState } from "../api/follow.ts";
import { readPage } from "../api/pages.ts";
import { fits, queryOf, type RunFilter } from "./run-filter.ts";
import { pathOfEmitter } from "./run-links.ts";

/** Runs, newest first; new ones come as they end, older ones as they are asked for. */
export interface RunList {
  readonly rows: ReadonlySignal<readonly ExecutionSummary[]>;
  readonly loading: ReadonlySignal<boolean>;
  readonly error: ReadonlySignal<unknown>;
  readonly state: ReadonlySignal<FollowState>;
  /** True when there are older ones. */
  readonly hasOlder: ReadonlySignal<boolean>;
  load(): Promise<void>;
  loadOlder(): Promise<void>;
  /** Adds runs as they end, until the returned function is called. */
  followNew(): () => void;
}

const maxRows = 5_000;
const searchMs = 2_000;

export interface RunListInput {
  readonly filter: RunFilter;
}

/** The path of the executions of a source, a workflow, or all. */
export const pathOfRuns = (emitterId: string): string =>
  `${emitterId === "" ? "" : pathOfEmitter(emitterId)}/executions`;

export function createRunList({ filter }: RunListInput): RunList {
  const rows = signal<readonly ExecutionSummary[]>([]);
  const loading = signal(true);
  const error = signal<unknown>(undefined);
  const state = signal<FollowState>("connecting");
  const hasOlder = signal(false);
  const { source: emitterId } = filter;
  const query = queryOf(filter);
  let cursor: string | undefined;

  async function read(after?: string): Promise<void> {
    loading.value = true;
    error.value = undefined;
    try {
      const page = await readPage<ExecutionSummary>(pathOfRuns(emitterId), { ...query, after });
      const known = new Set(rows.value.map(({ execution_id }) => execution_id));
      const fresh = page.data.filter(({ execution_id }) => !known.has(execution_id));
      // Without a cursor the page is the newest one: what is new in it comes first.
      rows.value = after === undefined ? [...fresh, ...rows.value] : [...rows.value, ...fresh];
      if (after === undefined && known.size > 0) return;
      cursor = page.page_info.end_cursor;
      hasOlder.value = page.data.length > 0 && rows.value.length < page.page_info.total_count;
    } catch (failure) {
      error.value = failure;
    } finally {
      loading.value = false;
    }
  }

  return {
    rows,
    loading,
    error,
    state,
    hasOlder,
    load: () => read(),
    loadOlder: () => (hasOlder.value && !loading.value ? read(cursor) : Promise.resolve()),
    followNew: () =>
      followBatches({
        route: "GET /executions/stream",
        parts: { query: { source_id: emitterId === "" ? undefined : emitterId } },
        ...(filter.q !== "" && { everyMs: searchMs }),
        take(ended: readonly ExecutionSummary[]) {
          const known = new Set(rows.value.slice(0, maxRows).map(({ execution_id }) => execution_id));
          const fresh = ended.filter((run) => fits(run, filter) && !known.has(run.execution_id)).toReversed();
          if (fresh.length === 0) return;
          // Only the service knows which runs have a text.
          if (filter.q === "") rows.value = [...fresh, ...rows.value].slice(0, maxRows);
          else if (!loading.value) void read();
        },
        state: (next) => {
          state.value = next;
        },
      }),
  };
}
