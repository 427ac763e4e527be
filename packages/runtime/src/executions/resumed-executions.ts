import type { ExecutionPage, StoredExecution } from "../api/executions-api.ts";
import { endingWith, type Paged } from "@x/model";

export interface ResumeExecutionsParts {
  /** Listens already, so that no execution is missed during the reads of stored ones. */
  readonly live: AsyncIterableIterator<StoredExecution>;
  read(page: ExecutionPage): Promise<Paged<StoredExecution>>;
  /** Resolves with false for an execution that is not stored. */
  isStored(id: string): Promise<boolean>;
  readonly onGap: (() => void) | undefined;
  readonly signal: AbortSignal | undefined;
}

const pageSize = 50;

async function* storedAfter(after: string, parts: ResumeExecutionsParts): AsyncGenerator<StoredExecution> {
  if (!(await parts.isStored(after))) parts.onGap?.();
  // Newer executions than this one arrive live.
  const until = (await parts.read({ limit: 1 })).items[0]?.id;
  if (until === undefined || until === after) return;
  for (let last = after; ;) {
    const { items } = await parts.read({ limit: pageSize, before: last });
    if (items.length === 0) return;
    for (const execution of items.toReversed()) {
      if (parts.signal?.aborted) return;
      yield execution;
      last = execution.id;
      if (last === until) return;
    }
  }
}

/** Executions that were read from the store and may arrive live too. */
const maxRemembered = 10_000;

async function* storedThenLive(after: string, parts: ResumeExecutionsParts): AsyncGenerator<StoredExecution> {
  const seen = new Set<string>();
  try {
    for await (const execution of storedAfter(after, parts)) {
      seen.add(execution.id);
      if (seen.size > maxRemembered) for (const oldest of seen) if (seen.delete(oldest)) break;
      yield execution;
    }
    for await (const execution of parts.live) if (!seen.delete(execution.id)) yield execution;
  } finally {
    await parts.live.return?.();
  }
}

/** The stored executions after an id, in the order of their commits, and then live ones; each once. */
export const resumeExecutions = (after: string, parts: ResumeExecutionsParts): AsyncIterableIterator<StoredExecution> =>
  endingWith(storedThenLive(after, parts), parts.live);
