import {
  type ExecutionQuery,
  type ExecutionRow,
  type ExecutionSummaryRow,
  lowerAscii,
  parseExecution,
  parseExecutionSummary,
  statusNumbers,
} from "@x/runtime/store";

import { readListPage } from "./list-page.ts";
import type { Parameter, Query } from "./query.ts";
import type { Reads } from "./reads.ts";

/** The condition of a list, with its values. */
function conditionOf(
  userId: string,
  { source, status, since }: ExecutionQuery,
): { readonly sql: string; readonly values: readonly Parameter[] } {
  const values: Parameter[] = [];
  const value = (given: Parameter): string => `$${values.push(given)}`;
  const parts: string[] = [];
  if (source) {
    const id = value(source.id);
    /** The position of the newest execution that is not kept. */
    const beyond = (where: string, keep: number): string =>
      `coalesce((SELECT position FROM @execution WHERE source_id = ${id} ${where}
        ORDER BY position DESC OFFSET ${value(keep)} LIMIT 1), -1)`;
    const { keep, keepFailed } = source.kept;
    parts.push(`source_id = ${id}`);
    parts.push(
      `(position > ${beyond("", keep)} OR (status <> 0 AND position > ${beyond("AND status <> 0", keepFailed)}))`,
    );
  } else parts.push(`user_id = ${value(userId)}`);
  if (status === "failed") parts.push("status <> 0");
  else if (status !== undefined) parts.push(`status = ${value(statusNumbers[status])}`);
  if (since !== undefined) parts.push(`ended_at >= ${value(since)}`);
  return { sql: parts.join(" AND "), values };
}

/**
 * Position of a cursor; of one that the user does not have, after the execution whose id is before it: ids begin with a time.
 */
async function positionOf(query: Query, id: string, userId: string): Promise<number> {
  const row = await query.one<{ position: number }>(
    `SELECT coalesce(
      (SELECT position::float8 FROM @execution WHERE id = $1 AND user_id = $2),
      (SELECT position + 0.5::float8 FROM @execution WHERE id < $1 ORDER BY id DESC LIMIT 1), 0.5) AS position`,
    id,
    userId,
  );
  return row?.position ?? 0.5;
}

/** Reads executions. */
export const executionReads = (query: Query): Pick<Reads, "execution" | "executions" | "searchExecutions"> => ({
  executions(userId, wanted) {
    const { sql, values } = conditionOf(userId, wanted);
    const rows = {
      columns: "summary",
      from: `@execution WHERE ${sql}`,
      values,
      positionOf: (id: string) => positionOf(query, id, userId),
      sizeOf: ({ summary }: ExecutionSummaryRow) => summary.length,
    };
    return readListPage(query, rows, wanted, parseExecutionSummary);
  },
  searchExecutions(ids, text) {
    const has = (column: string): string => `position($1 IN lower(${column} COLLATE "C")) > 0`;
    const sql = `SELECT id, bytes, ${has("summary")} OR ${has("detail")} AS found FROM @execution WHERE id = ANY($2)`;
    return query.all(sql, lowerAscii(text), ids);
  },
  async execution(id) {
    const row = await query.one<ExecutionRow>("SELECT summary, bytes, detail FROM @execution WHERE id = $1", id);
    return row && parseExecution(row);
  },
});
