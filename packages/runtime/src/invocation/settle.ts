import type { Collected } from "./collected.ts";
import { type Deduped, dedupeInSteps, explainDrop } from "./dedupe.ts";
import { errorRecord, type FailedExecution } from "./records/error-record.ts";
import {
  formatEventId,
  mapInSteps,
  newSortableId,
  nextEventId,
  type Cause,
  type DedupeState,
  type EventId,
  type Execution,
  type Json,
  type Limits,
  type LoadedRequest,
  type LogRecord,
  type Steps,
  type StoredEvent,
  type StreamKind,
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
  readonly collected: Pick<Collected, "emits" | "db" | "logs" | "response" | "step">;
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

const byteLimitedTrim = 32;

/** Adds events to streams: assigns ids, tracks the newest ids, trims from time to time. */
export class Appender {
  changes: Change[] = [];
  readonly events: StoredEvent[] = [];
  readonly heads: { [stream in StreamKind]?: EventId };
  readonly untrimmed: Map<StreamKind, number>;
  readonly #cached: CachedSource;
  readonly #now: number;
  readonly #cause: { readonly cause?: Cause };

  constructor(cached: CachedSource, now: number, cause: Cause | undefined) {
    this.#cached = cached;
    this.#now = now;
    this.#cause = cause ? { cause } : {};
    this.heads = { ...cached.heads };
    this.untrimmed = new Map(cached.untrimmed);
  }

  add(stream: StreamKind, payload: string, emit: Partial<GuestEmit> = {}): StoredEvent {
    const id = nextEventId(this.heads[stream], this.#now);
    this.heads[stream] = id;
    const event: StoredEvent = {
      emitterId: this.#cached.source.id,
      stream,
      id,
      emitId: newSortableId(this.#now),
      name: stream === "emits" ? (emit.name ?? "") : stream,
      payload,
      ...(emit.id === undefined ? {} : { dedupeId: emit.id }),
      ...(emit.summary === undefined ? {} : { summary: emit.summary }),
      ...(emit.ts === undefined ? {} : { ts: emit.ts }),
    };
    this.events.push(event);
    this.changes.push({ op: "event.add", event, ...this.#cause });
    return event;
  }

  /**
   * Trims a stream when it may hold many more events than `keep`; reads never return more than `keep`.
   * Events of one run beyond `keep` are not stored, because they could never be read. Listeners still receive them.
   */
  *trim(keep: number, hasListeners: boolean): Steps<void> {
    for (const stream of new Set(this.events.map((event) => event.stream))) {
      yield;
      const before = this.untrimmed.get(stream);
      const own = this.events.filter((event) => event.stream === stream);
      const unread = new Set(own.slice(0, Math.max(0, own.length - keep)));
      if (unread.size > 0) {
        const isUnread = (change: Change): boolean => change.op === "event.add" && unread.has(change.event);
        this.changes = hasListeners
          ? yield* mapInSteps(
              this.changes,
              (change) => (isUnread(change) ? { ...change, unread: true } : change) as Change,
            )
          : this.changes.filter((change) => !isUnread(change));
      }
      const added = (before ?? 0) + own.length - unread.size;
      const due = before === undefined || added >= Math.max(byteLimitedTrim, keep / 2);
      this.untrimmed.set(stream, due ? 0 : added);
      if (due) this.changes.push({ op: "events.trim", emitterId: this.#cached.source.id, stream, keep });
    }
  }
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
  const { collected, outcome } = executed;
  const logged = collected.logs.records(outcome.droppedLogs ?? 0);
  const { error, logs, mask } = yield* reportInSteps(
    cached,
    { ...executed, logs: logged, error: outcome.error, left: outcome.left },
    rules,
  );
  const dropped = outcome.status !== "ok" && isTransactional(cached, rules);
  const emits = yield* mapInSteps(dropped ? [] : collected.emits, (emit) => ({
    ...emit,
    ...cutSummary(emit, rules.limits),
  }));
  const cacheSize = source.settings.dedupeCacheSize ?? rules.limits.dedupeCacheSize;
  const deduped = yield* dedupeInSteps(component.shape.dedupe, cached.dedupe, emits, { cacheSize });

  const appender = new Appender(cached, rules.now, executed.cause);
  const emitted = yield* mapInSteps(deduped.kept, (emit) => appender.add("emits", emit.payload, emit));
  if (error) appender.add("$errors", yield* errorRecord(source, failedAt(executed), error, { now: rules.now, mask }));
  const ofRun = { executionId: executed.executionId, now: rules.now };
  for (const channel of deduped.windowExceeded) logs.push(windowWarning(channel, cacheSize, ofRun));
  logs.push(...incomparableWarning(deduped.deduped, mask, ofRun));
  if (error) {
    const { code: _code, ...err } = error;
    logs.push({ k: "err", ts: rules.now, err, execution_id: executed.executionId });
  }
  for (const log of logs) appender.add("$logs", JSON.stringify(log));
  yield* appender.trim(rules.limits.retention, rules.hasListeners(source));

  const exported =
    leavesExports(component) && outcome.result !== undefined ? yield* mask.json(outcome.result) : undefined;
  const db = new Map(cached.db);
  const changes: Change[] = [];
  if (!dropped) {
    const set = ([key, value]: readonly [string, string | undefined]): void => {
      changes.push({ op: "db.set", sourceId: source.id, key, value, at: rules.now });
      if (value === undefined) db.delete(key);
      else db.set(key, value);
    };
    yield* mapInSteps([...collected.db], set);
  }
  for (const [channel, state] of Object.entries(deduped.states))
    changes.push({ op: "dedupe.set", sourceId: source.id, channel, state });
  const shown = yield* mapInSteps(emitted, ({ id, summary }) => ({
    id: formatEventId(id),
    ...(summary === undefined ? {} : { summary }),
  }));
  const all = changes.concat(appender.changes, {
    op: "usage.add",
    userId: source.userId,
    day: new Date(rules.now).toISOString().slice(0, 10),
    invocations: 1,
    computeMs: Math.ceil(outcome.computeMs),
  });
  return {
    changes: all,
    events: appender.events,
    execution: {
      executionId: executed.executionId,
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
    isRolledBack: dropped,
    mask,
    next: {
      dedupe: mergeStates(cached.dedupe, deduped.states),
      heads: appender.heads,
      db,
      untrimmed: appender.untrimmed,
    },
  };
}

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
