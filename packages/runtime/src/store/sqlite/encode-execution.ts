import type { ExecutionRecord } from "../../model/execution-model.ts";
import type { ExecutionChange } from "../contract.ts";
import { statusNumbers } from "../numbers.ts";
import { writeNumbers as write, type Work } from "./statements.ts";

function pushExecution(work: Work, { summary, detail, bytes }: ExecutionRecord): void {
  const { id, sourceId, userId, status, endedAt } = summary;
  work.push(write.addExecution, id, sourceId, userId, statusNumbers[status], endedAt, bytes);
  work.push(JSON.stringify(summary), JSON.stringify(detail));
}

/** Encodes a change of stored executions. */
export function pushExecutionChange(work: Work, change: ExecutionChange): void {
  if (change.op === "execution.add") pushExecution(work, change.execution);
  else {
    work.push(write.trimExecutions, change.sourceId, change.keep, change.keepFailed);
    if (change.bytes !== undefined) work.push(write.trimExecutionBytes, change.sourceId, change.bytes);
  }
}
