import { warningText } from "./warning-text.ts";
import { newSortableId } from "../../process/ids.ts";
import type { CachedSource } from "../lane/source-cache.ts";
import type { ComponentWarning, LogRecord } from "../../model/model.ts";
import { noted, type Noted, type NoteRules } from "./noted.ts";
import { Appender } from "../settle.ts";

/** A warning that no call made. */
type Note = Required<Pick<LogRecord, "msg" | "data" | "context">>;

/** Notes as `$logs` records of their source. */
export function noteLogs(cached: CachedSource, notes: readonly Note[], rules: NoteRules): Noted {
  const { now } = rules;
  const executionId = newSortableId(now);
  const appender = new Appender(cached, now, undefined);
  const logs = notes.map(({ msg, data, context }): LogRecord => {
    return { k: "console.warn", ts: now, msg, data, execution_id: executionId, context };
  });
  for (const log of logs) appender.add("$logs", JSON.stringify(log));
  return noted(cached, appender, rules, logs);
}

/** Warnings of a component as `$logs` records of its source. */
export const noteWarnings = (cached: CachedSource, warnings: readonly ComponentWarning[], rules: NoteRules): Noted =>
  noteLogs(
    cached,
    warnings.map((warning) => ({ msg: warningText(warning), data: [warning.path], context: "deploy" })),
    rules,
  );
