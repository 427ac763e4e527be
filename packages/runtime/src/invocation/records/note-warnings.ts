import { warningText } from "./warning-text.ts";
import { newSortableId } from "../../process/ids.ts";
import type { Resident } from "../lane/residents.ts";
import type { ComponentWarning, LogRecord } from "../../model/model.ts";
import { noted, type Noted, type NoteRules } from "./noted.ts";
import { Appender } from "../settle.ts";

/** A warning that no call made. */
type Note = Required<Pick<LogRecord, "msg" | "data" | "context">>;

/** Notes as `$logs` records of their source. */
export function noteLogs(resident: Resident, notes: readonly Note[], rules: NoteRules): Noted {
  const { now } = rules;
  const executionId = newSortableId(now);
  const appender = new Appender(resident, now, undefined);
  const logs = notes.map(({ msg, data, context }): LogRecord => {
    return { k: "console.warn", ts: now, msg, data, execution_id: executionId, context };
  });
  for (const log of logs) appender.add("$logs", JSON.stringify(log));
  return noted(resident, appender, rules, logs);
}

/** Warnings of a component as `$logs` records of its source. */
export const noteWarnings = (resident: Resident, warnings: readonly ComponentWarning[], rules: NoteRules): Noted =>
  noteLogs(
    resident,
    warnings.map((warning) => ({ msg: warningText(warning), data: [warning.path], context: "deploy" })),
    rules,
  );
