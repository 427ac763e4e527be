import { atOnce, newSortableId, recordedError, type ComponentWarning, type ErrorCode, type LogRecord } from "@x/model";
import type { CachedSource } from "../lane/source-cache.ts";
import { secretMask } from "../secrets/secret-mask.ts";
import { Appender } from "../appender.ts";
import type { Settled, SettleRules } from "../settle.ts";
import { errorRecord } from "./error-record.ts";

/** Records of a source that no call made. */
export type SettledNotes = Pick<Settled, "changes" | "events" | "next"> & {
  readonly execution: { readonly logs: readonly LogRecord[] };
};

export type NoteRules = Pick<SettleRules, "now" | "limits" | "hasListeners">;

/** A warning that no call made. */
type Note = Required<Pick<LogRecord, "msg" | "data" | "context">>;

/** Trims the streams in one step: such records are few. */
function settleNotes(
  { source, dedupe, db }: CachedSource,
  appender: Appender,
  { limits, hasListeners }: NoteRules,
  logs: readonly LogRecord[] = [],
): SettledNotes {
  atOnce(appender.trim(limits.retention, hasListeners(source)));
  const { changes, events, heads, untrimmed } = appender;
  return { changes, events, execution: { logs }, next: { dedupe, db, heads, untrimmed } };
}

/** An error of an entry that was not called, as an `$errors` record of its source. */
export function noteError(
  cached: CachedSource,
  { entry, code, text }: { readonly entry: string; readonly code: ErrorCode; readonly text: string },
  rules: NoteRules,
): SettledNotes {
  const { now } = rules;
  const { source, component } = cached;
  const appender = new Appender(cached, now, undefined);
  const failed = { executionId: newSortableId(now), type: "HOOK", entry, event: "", at: now } as const;
  const mask = secretMask(component, source, {});
  appender.add("$errors", atOnce(errorRecord(source, failed, recordedError(code, text), { now, mask })));
  return settleNotes(cached, appender, rules);
}

/** Notes as `$logs` records of their source. */
export function noteLogs(cached: CachedSource, notes: readonly Note[], rules: NoteRules): SettledNotes {
  const { now } = rules;
  const executionId = newSortableId(now);
  const appender = new Appender(cached, now, undefined);
  const logs = notes.map(({ msg, data, context }): LogRecord => {
    return { k: "console.warn", ts: now, msg, data, execution_id: executionId, context };
  });
  for (const log of logs) appender.add("$logs", JSON.stringify(log));
  return settleNotes(cached, appender, rules, logs);
}

/** A warning as one line: location, message and rule. */
export function warningText({ rule, message, file, line, column }: ComponentWarning): string {
  const location = file === undefined ? "" : `${file}:${line}:${column}: `;
  return `${location}${message} (${rule})`;
}

/** Warnings of a component as `$logs` records of its source. */
export const noteWarnings = (
  cached: CachedSource,
  warnings: readonly ComponentWarning[],
  rules: NoteRules,
): SettledNotes =>
  noteLogs(
    cached,
    warnings.map((warning) => ({ msg: warningText(warning), data: [warning.path], context: "deploy" })),
    rules,
  );
