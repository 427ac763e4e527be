import type { ExecutionPage, ExecutionsFilter, StoredExecution, StoredExecutionDetail } from "../api/executions-api.ts";
import { XError, type ExecutionRecord, type Limits, type Paged, type Source } from "@x/model";
import type { Store } from "@x/store";
import type { CommitTimes } from "./commit-times.ts";
import { filteredExecutions, isFiltered } from "./filtered-executions.ts";
import type { LiveExecutions } from "./live-executions.ts";
import { withRequestBody } from "./recorded-request.ts";
import { keptOf } from "./recorder.ts";
import { resumeExecutions } from "./resumed-executions.ts";

/** The stored executions of users' sources and workflows. */
export interface Executions {
  /** Of one source or workflow, or of all. Rejects with `not_found`. */
  list(sourceId: string | undefined, page: ExecutionPage, userId: string): Promise<Paged<StoredExecution>>;
  /** Rejects with `not_found`. */
  find(id: string, userId: string): Promise<StoredExecutionDetail>;
  /** Executions as they are committed. */
  listen(filter: ExecutionsFilter, userId: string): AsyncIterableIterator<StoredExecution>;
}

export interface ExecutionsParts {
  readonly store: Pick<Store, "execution" | "executions" | "searchExecutions">;
  readonly limits: Limits;
  readonly live: LiveExecutions;
  readonly commitTimes: CommitTimes;
  /** Rejects with `not_found` unless the source or workflow belongs to the user. */
  own(id: string, userId: string): Promise<Source>;
}

export function createExecutions({ store, limits, live, commitTimes, own }: ExecutionsParts): Executions {
  const findOwn = async (id: string, userId: string): Promise<ExecutionRecord | undefined> => {
    const found = await store.execution(id);
    return found?.summary.userId === userId ? found : undefined;
  };

  const readPage: Executions["list"] = async (sourceId, page, userId) => {
    const kept = sourceId === undefined ? undefined : keptOf(await own(sourceId, userId), limits);
    const query = { ...page, ...(sourceId !== undefined && kept && { source: { id: sourceId, kept } }) };
    const { totalCount, items } = await store.executions(userId, query);
    return { totalCount, items: items.map((item) => ({ ...item, commitMs: commitTimes.find(item.id) })) };
  };

  const list: Executions["list"] = (sourceId, page, userId) =>
    isFiltered(page)
      ? filteredExecutions(page, {
          read: (slice) => readPage(sourceId, slice, userId),
          search: store.searchExecutions,
          isStored: async (id) => (await findOwn(id, userId)) !== undefined,
        })
      : readPage(sourceId, page, userId);

  return {
    list,
    async find(id, userId) {
      const found = await findOwn(id, userId);
      if (!found) throw new XError("not_found", ["execution", id]);
      return { ...found.summary, detail: withRequestBody(found.detail), commitMs: commitTimes.find(id) };
    },
    listen(filter, userId) {
      const { sourceId, after, onGap, signal } = filter;
      const listening = live.listen(filter, userId);
      if (after === undefined) return listening;
      return resumeExecutions(after, {
        live: listening,
        read: (page) => list(sourceId, page, userId),
        isStored: async (id) => (await findOwn(id, userId)) !== undefined,
        onGap,
        signal,
      });
    },
  };
}
