import { Appender } from "./appender.ts";
import type { Collected } from "./collected.ts";
import { type Deduped, dedupeInSteps } from "./dedupe.ts";
import { errorRecord, type FailedExecution } from "./records/error-record.ts";
import {
  explainDrop,
  formatEventId,
  mapInSteps,
  type Cause,
  type DedupeState,
  type Execution,
  type GuestError,
  type Json,
  type Limits,
  type LoadedRequest,
  type LogRecord,
  type Steps,
  type StoredEvent,
  type TriggerOrigin,
} from "@x/model";
import { reportInSteps, type ReportRules } from "./records/report.ts";
import type { SecretMask } from "./secrets/secret-mask.ts";
import { showResponse } from "./shown-response.ts";
import type { CachedSource } from "./lane/source-cache.ts";
import type { Entry, GuestEmit, Outcome } from "@x/sandbox";
import type { Change } from "@x/store";

/** One call of an entry, after it ended. */
export interface Executed extends Omit<FailedExecution, "entry"> {
  readonly entry: Entry;
  /** Absent when no other event caused this one. */
  readonly cause?: Cause;
  readonly collected: Pick<Collected, "emits" | "db" | "dataStores" | "logs" | "response" | "step">;
  readonly outcome: Outcome;
  /** See `Reported`. */
  readonly sourceMap: string;
  /** Credentials that the call could read; masked in all its records. */
  readonly auth: { readonly [prop: string]: Json };
  readonly httpProp?: string;
  readonly origin?: TriggerOrigin;
  readonly received?: LoadedRequest;
}

export interface SettleRules extends ReportRules {
  readonly limits: Limits;
  /** Default for sources whose settings and component do not decide it. */
  readonly transactional: boolean;
  /** True when the events of the source may have listeners. */
  hasListeners(source: CachedSource["source"]): boolean;
}

/** The changes of an execution, for one commit. */
export interface Settled {
  readonly changes: Change[];
  readonly events: StoredEvent[];
  readonly execution: Execution;
  readonly dropped: readonly Deduped<GuestEmit>[];
  /** True when emits and db writes were dropped, because the run failed and is transactional. */
  readonly isRolledBack: boolean;
  /** For other texts of the call. */
  readonly mask: SecretMask;
  /** The source after the commit. */
  readonly next: Pick<CachedSource, "dedupe" | "heads" | "db" | "untrimmed">;
}

/** The failed entry of a workflow is its step. */
const failedAt = (executed: Executed): FailedExecution => ({
  ...executed,
  entry: executed.collected.step ?? executed.entry,
});

/** Settings of the source take precedence over the component, and the component over the runtime. */
const isTransactional = ({ source, component }: CachedSource, { transactional }: SettleRules): boolean =>
  source.settings.transactional ?? component.shape.transactional ?? transactional;

/** Computes the changes of one execution. Pure: the caller commits them. */
export function* settleInSteps(cached: CachedSource, executed: Executed, rules: SettleRules): Steps<Settled> {
  const { source, component } = cached;
  const { collected, outcome, executionId } = executed;
  const { now, limits } = rules;
  const reported = { ...executed, logs: collected.logs.records(outcome.droppedLogs ?? 0), error: outcome.error };
  const { error, logs, mask } = yield* reportInSteps(cached, { ...reported, left: outcome.left }, rules);

  const isRolledBack = outcome.status !== "ok" && isTransactional(cached, rules);
  const emits = yield* mapInSteps(isRolledBack ? [] : collected.emits, (emit) => ({
    ...emit,
    ...cutSummary(emit, limits),
  }));
  const cacheSize = source.settings.dedupeCacheSize ?? limits.dedupeCacheSize;
  const deduped = yield* dedupeInSteps(component.shape.dedupe, cached.dedupe, emits, { cacheSize });
  const ofRun = { executionId, now };
  for (const channel of deduped.windowExceeded) logs.push(windowWarning(channel, cacheSize, ofRun));
  logs.push(...incomparableWarning(deduped.deduped, mask, ofRun), ...errorLog(error, ofRun));

  const appender = new Appender(cached, now, executed.cause);
  const emitted = yield* mapInSteps(deduped.kept, (emit) => appender.add("emits", emit.payload, emit));
  if (error) appender.add("$errors", yield* errorRecord(source, failedAt(executed), error, { now, mask }));
  for (const log of logs) appender.add("$logs", JSON.stringify(log));
  yield* appender.trim(limits.retention, rules.hasListeners(source));

  const exported =
    leavesExports(component) && outcome.result !== undefined ? yield* mask.json(outcome.result) : undefined;
  const db = new Map(cached.db);
  const changes: Change[] = [];
  yield* mapInSteps(isRolledBack ? [] : [...collected.db], ([key, value]) => {
    changes.push({ op: "db.set", sourceId: source.id, key, value, at: now });
    if (value === undefined) db.delete(key);
    else db.set(key, value);
  });
  // Other sources read data stores: they see nothing of a run that failed, whether it is transactional or not.
  if (outcome.status === "ok") yield* mapInSteps(collected.dataStores.changes(now), (change) => changes.push(change));
  for (const [channel, state] of Object.entries(deduped.states))
    changes.push({ op: "dedupe.set", sourceId: source.id, channel, state });

  const shown = yield* mapInSteps(emitted, ({ id, summary }) => ({
    id: formatEventId(id),
    ...(summary === undefined ? {} : { summary }),
  }));
  return {
    changes: changes.concat(appender.changes, usageOf(source.userId, outcome, now)),
    events: appender.events,
    execution: {
      executionId,
      status: outcome.status,
      durationMs: Math.round(outcome.durationMs),
      computeMs: outcome.computeMs,
      memoryBytes: outcome.memoryBytes,
      emitted: shown,
      deduped: deduped.deduped.length,
      response: collected.response ? showResponse(collected.response) : null,
      ...(exported !== undefined && { exports: JSON.parse(exported) as Json }),
      logs,
      error: error ?? null,
    },
    dropped: deduped.deduped,
    isRolledBack,
    mask,
    next: {
      dedupe: mergeStates(cached.dedupe, deduped.states),
      heads: appender.heads,
      db,
      untrimmed: appender.untrimmed,
    },
  };
}

const usageOf = (userId: string, { computeMs }: Outcome, now: number): Change => ({
  op: "usage.add",
  userId,
  day: new Date(now).toISOString().slice(0, 10),
  invocations: 1,
  computeMs: Math.ceil(computeMs),
});

const leavesExports = ({ shape }: CachedSource["component"]): boolean =>
  shape.action === true || shape.workflow !== undefined;

const mergeStates = (
  known: CachedSource["dedupe"],
  changed: { [channel: string]: DedupeState },
): CachedSource["dedupe"] =>
  Object.keys(changed).length === 0
    ? known
    : Object.fromEntries([...Object.entries(known), ...Object.entries(changed)]);

const cutSummary = (emit: GuestEmit, limits: Limits): { summary?: string } =>
  emit.summary === undefined ? {} : { summary: emit.summary.slice(0, limits.summaryChars).toWellFormed() };

interface OfRun {
  readonly executionId: string;
  readonly now: number;
}

const warning = (msg: string, { executionId, now }: OfRun): LogRecord => {
  return { k: "console.warn", ts: now, msg, data: [], execution_id: executionId };
};

function errorLog(error: GuestError | undefined, { executionId, now }: OfRun): LogRecord[] {
  if (!error) return [];
  const { code: _code, ...err } = error;
  return [{ k: "err", ts: now, err, execution_id: executionId }];
}

/** Events that were dropped although nobody has seen their ids; at most one record. */
function incomparableWarning(dropped: readonly Deduped<GuestEmit>[], mask: SecretMask, of: OfRun): LogRecord[] {
  const incomparable = dropped.filter(({ reason }) => reason === "invalid_id");
  const [first] = incomparable;
  if (!first) return [];
  const count = incomparable.length;
  const why = mask.text(explainDrop({ ...first.emit, reason: "invalid_id" }));
  return [warning(`${count} ${count === 1 ? "event was" : "events were"} dropped: ${why}`, of)];
}

function windowWarning(channel: string, cacheSize: number, of: OfRun): LogRecord {
  const where = channel === "" ? "" : ` on channel "${channel}"`;
  return warning(
    `dedupe_window_exceeded: one run emitted more than ${cacheSize} distinct ids${where}; older ones will be emitted again`,
    of,
  );
}
