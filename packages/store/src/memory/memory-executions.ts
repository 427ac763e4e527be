import type { ExecutionRecord, ExecutionSummary, Paged } from "@x/model";
import type { ExecutionChange } from "../contract.ts";
import type { ExecutionQuery, KeptExecutions, SearchedExecution } from "../queries.ts";
import { lowerAscii } from "../rows/execution-row.ts";
import { newestFirst, type Positioned, putNested, type Tables, type Undo } from "./memory-tables.ts";
import { cutListPage } from "./page.ts";

type Row = Positioned<ExecutionRecord>;

const hasFailed = ({ value }: Row): boolean => value.summary.status !== "ok";

/** The newest rows, and the newest failed ones. */
function keptOf(rows: readonly Row[], { keep, keepFailed }: KeptExecutions): Row[] {
  const failed = new Set(rows.filter(hasFailed).slice(0, keepFailed));
  return rows.filter((row, index) => index < keep || failed.has(row));
}

/** Leading rows with at most this many bytes; at least one. */
function withinBytes(rows: readonly Row[], bytes: number): Row[] {
  let sum = 0;
  const end = rows.findIndex(({ value }, index) => (sum += value.bytes) > bytes && index > 0);
  return end === -1 ? [...rows] : rows.slice(0, end);
}

/** Applies one change of stored executions. */
export function applyExecutionChange(tables: Tables, change: ExecutionChange, undo: Undo): void {
  if (change.op === "execution.add") {
    const { execution } = change;
    putNested(
      tables.executions,
      execution.summary.sourceId,
      execution.summary.id,
      { value: execution, position: ++tables.lastPosition },
      undo,
    );
    return;
  }
  const { sourceId, bytes = Number.POSITIVE_INFINITY } = change;
  const rows = newestFirst(tables.executions.get(sourceId) ?? new Map<string, Row>());
  const kept = new Set(withinBytes(keptOf(rows, change), bytes));
  for (const row of rows)
    if (!kept.has(row)) putNested(tables.executions, sourceId, row.value.summary.id, undefined, undo);
}

function rowOf(tables: Tables, id: string): Row | undefined {
  for (const rows of tables.executions.values()) {
    const row = rows.get(id);
    if (row) return row;
  }
  return undefined;
}

export const readExecution = (tables: Tables, id: string): ExecutionRecord | undefined => rowOf(tables, id)?.value;

/**
 * Position of a cursor; of one that the user does not have, after the execution whose id is before it: ids begin with a time.
 */
function positionOf(tables: Tables, id: string, userId: string): number {
  const exact = rowOf(tables, id);
  if (exact?.value.summary.userId === userId) return exact.position;
  let before: Row | undefined;
  for (const rows of tables.executions.values())
    for (const row of rows.values())
      if (row.value.summary.id < id && row.value.summary.id > (before?.value.summary.id ?? "")) before = row;
  return (before?.position ?? 0) + 0.5;
}

/** Reads a page of executions, newest first. */
export function readExecutions(tables: Tables, userId: string, query: ExecutionQuery): Paged<ExecutionSummary> {
  const { source, status, since = Number.NEGATIVE_INFINITY } = query;
  const rows = source
    ? keptOf(newestFirst(tables.executions.get(source.id) ?? new Map<string, Row>()), source.kept)
    : [...tables.executions.values()]
        .flatMap((each) => [...each.values()].filter(({ value }) => value.summary.userId === userId))
        .sort((a, b) => b.position - a.position);
  const wanted = rows.filter(
    (row) =>
      row.value.summary.endedAt >= since &&
      (status === undefined || (status === "failed" ? hasFailed(row) : row.value.summary.status === status)),
  );
  const summaries = wanted.map(({ value, position }) => ({ value: value.summary, position }));
  return cutListPage(summaries, query, (id) => positionOf(tables, id, userId));
}

/** Which of these executions have a text in their record. */
export const searchMemoryExecutions = (tables: Tables, ids: readonly string[], text: string): SearchedExecution[] =>
  ids.flatMap((id) => {
    const record = readExecution(tables, id);
    if (!record) return [];
    const { summary, detail, bytes } = record;
    const found = lowerAscii(JSON.stringify(summary) + JSON.stringify(detail)).includes(lowerAscii(text));
    return [{ id, bytes, found }];
  });
