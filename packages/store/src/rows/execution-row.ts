import type { ExecutionDetail, ExecutionRecord, ExecutionSummary } from "@x/model";

/** Columns are JSON texts. */
export interface ExecutionSummaryRow {
  readonly summary: string;
}

export interface ExecutionRow extends ExecutionSummaryRow {
  readonly bytes: number;
  readonly detail: string;
}

export const parseExecutionSummary = ({ summary }: ExecutionSummaryRow): ExecutionSummary =>
  JSON.parse(summary) as ExecutionSummary;

export const parseExecution = (row: ExecutionRow): ExecutionRecord => ({
  summary: parseExecutionSummary(row),
  bytes: row.bytes,
  detail: JSON.parse(row.detail) as ExecutionDetail,
});

/** ASCII letters in lower case: what every store compares. */
export const lowerAscii = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
