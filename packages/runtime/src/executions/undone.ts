import type { ExecutionRecord, RecordedDrop } from "@x/model";
import type { Change } from "@x/store";

/** The record of a hook whose change was undone: its events were not stored. */
function undone({ summary, detail, bytes }: ExecutionRecord): ExecutionRecord {
  const rolledBack = detail.emitted.map(
    ({ id: _id, listeners: _listeners, listenersOmitted: _omitted, ...emit }): RecordedDrop => ({
      ...emit,
      reason: "rolled_back",
    }),
  );
  return {
    summary: { ...summary, undone: true, emittedCount: 0 },
    bytes,
    detail: { ...detail, emitted: [], dropped: [...detail.dropped, ...rolledBack] },
  };
}

/** The changes that store the executions of a change that was undone. */
export const undoneExecutions = (changes: readonly Change[]): readonly Change[] =>
  changes.flatMap((change): Change[] =>
    change.op === "execution.add" ? [{ op: "execution.add", execution: undone(change.execution) }] : [],
  );
