import type { ExecutionQuery } from "../queries.ts";
import type { SyncReads } from "../reads.ts";
import { type ListRows, readListPage } from "./list-page.ts";
import type { Query } from "./query.ts";
import { statusNumbers } from "../numbers.ts";
import {
  type ExecutionRow,
  type ExecutionSummaryRow,
  lowerAscii,
  parseExecution,
  parseExecutionSummary,
} from "../rows/execution-row.ts";

/** A condition with its values. */
type Condition = readonly [sql: string, ...values: (string | number)[]];

const newest = "SELECT position FROM execution WHERE source_id = ?";
/** The position of the newest execution that is not kept. */
const beyond = (where: string): string => `coalesce((${newest} ${where} ORDER BY position DESC LIMIT 1 OFFSET ?), -1)`;

function conditionsOf(userId: string, { source, status, since }: ExecutionQuery): Condition[] {
  const { id = "", kept } = source ?? {};
  return [
    kept ? ["source_id = ?", id] : ["user_id = ?", userId],
    ...(kept
      ? [
          [
            `(position > ${beyond("")} OR (status <> 0 AND position > ${beyond("AND status <> 0")}))`,
            id,
            kept.keep,
            id,
            kept.keepFailed,
          ] satisfies Condition,
        ]
      : []),
    ...(status === "failed" ? [["status <> 0"] satisfies Condition] : []),
    ...(status !== undefined && status !== "failed" ? [["status = ?", statusNumbers[status]] satisfies Condition] : []),
    ...(since === undefined ? [] : [["ended_at >= ?", since] satisfies Condition]),
  ];
}

/**
 * Position of a cursor; of one that the user does not have, after the execution whose id is before it: ids begin with a time.
 */
function positionOf(query: Query, id: string, userId: string): number {
  const exact = query.one<{ position: number }>(
    "SELECT position FROM execution WHERE id = ? AND user_id = ?",
    id,
    userId,
  );
  if (exact) return exact.position;
  const before = query.one<{ position: number }>(
    "SELECT position FROM execution WHERE id < ? ORDER BY id DESC LIMIT 1",
    id,
  );
  return (before?.position ?? 0) + 0.5;
}

/** Reads executions. */
export const executionReads = (query: Query): Pick<SyncReads, "execution" | "executions" | "searchExecutions"> => ({
  executions(userId, wanted) {
    const conditions = conditionsOf(userId, wanted);
    const rows: ListRows<ExecutionSummaryRow> = {
      columns: "summary",
      from: `execution WHERE ${conditions.map(([sql]) => sql).join(" AND ")}`,
      values: conditions.flatMap(([, ...values]) => values),
      positionOf: (id) => positionOf(query, id, userId),
      sizeOf: ({ summary }) => summary.length,
    };
    return readListPage(query, rows, wanted, parseExecutionSummary);
  },
  searchExecutions(ids, text) {
    const sql = `SELECT id, bytes, instr(lower(summary), ?1) > 0 OR instr(lower(detail), ?1) > 0 AS found
      FROM execution WHERE id IN (SELECT value FROM json_each(?2))`;
    return query
      .all<{ id: string; bytes: number; found: number }>(sql, lowerAscii(text), JSON.stringify(ids))
      .map((row) => ({ ...row, found: row.found === 1 }));
  },
  execution(id) {
    const row = query.one<ExecutionRow>("SELECT summary, bytes, detail FROM execution WHERE id = ?", id);
    return row && parseExecution(row);
  },
});
