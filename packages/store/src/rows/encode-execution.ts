import type { ExecutionRecord } from "@x/model";
import type { ExecutionChange } from "../contract.ts";
import { statusNumbers } from "../numbers.ts";
import type { RowList } from "./row-list.ts";

function addExecution(list: RowList, { summary, detail, bytes }: ExecutionRecord): void {
  const { id, sourceId, userId, status, endedAt } = summary;
  const texts = [JSON.stringify(summary), JSON.stringify(detail)] as const;
  list.add(
    "addExecution",
    `execution:${sourceId}`,
    id,
    sourceId,
    userId,
    statusNumbers[status],
    endedAt,
    bytes,
    ...texts,
  );
}

/** Adds the rows of a change of stored executions. */
export function addExecutionChange(list: RowList, change: ExecutionChange): void {
  if (change.op === "execution.add") return addExecution(list, change.execution);
  const { sourceId, keep, keepFailed, bytes } = change;
  list.add("trimExecutions", `execution:${sourceId}`, sourceId, keep, keepFailed);
  if (bytes !== undefined) list.add("trimExecutionBytes", `execution:${sourceId}`, sourceId, bytes);
}
