import { warningText } from "./warning-text.ts";
import { newSortableId } from "../ids.ts";
import type { Resident } from "../lane/residents.ts";
import type { ComponentWarning, LogRecord } from "../model.ts";
import { Appender, type Settled, type SettleRules } from "./settle.ts";

/** Warnings of a component as `$logs` records of its source, which no call made. */
export function noteWarnings(
  resident: Resident,
  warnings: readonly ComponentWarning[],
  { now, limits, isHeard }: Pick<SettleRules, "now" | "limits" | "isHeard">,
): Pick<Settled, "changes" | "events" | "next"> & { readonly execution: { readonly logs: LogRecord[] } } {
  const executionId = newSortableId(now);
  const appender = new Appender(resident, now, undefined);
  const logs = warnings.map((warning): LogRecord => ({
    k: "console.warn",
    ts: now,
    msg: warningText(warning),
    data: [warning.path],
    execution_id: executionId,
    context: "deploy",
  }));
  for (const log of logs) appender.add("$logs", JSON.stringify(log));
  appender.trim(limits.retention, isHeard(resident.source));
  const { dedupe, db } = resident;
  const { changes, events, heads, untrimmed } = appender;
  return { changes, events, execution: { logs }, next: { dedupe, db, heads, untrimmed } };
}
