import type { AuthorSources } from "@x/components";
import type { CachedSource } from "../invocation/lane/source-cache.ts";
import type { RunTrace } from "../invocation/run-trace.ts";
import type { SecretMask } from "../invocation/secrets/secret-mask.ts";
import type { Executed, Settled } from "../invocation/settle.ts";
import {
  cutText,
  type ExecutionDetail,
  type ExecutionRecord,
  type ExecutionStatus,
  type ExecutionSummary,
  type GuestError,
  type HookName,
  type HttpSummary,
  type LogRecord,
  type Omitted,
  type RecordedResponse,
  type Steps,
} from "@x/model";
import type { GuestResponse } from "@x/sandbox";
import { sentStatus } from "../http/sent-status.ts";
import { findCodeFrame } from "./code-frame.ts";
import { maskedBody, maskedHeaders } from "./masked.ts";
import { type RecordBounds, Room } from "./record-bounds.ts";
import { recordedCall } from "./recorded-calls.ts";
import {
  type DataStoreSet,
  dataStoreSetsOf,
  type DbSet,
  dbSetsOf,
  recordedDataStoreChange,
  recordedDbChange,
} from "./recorded-changes.ts";
import { ranWithOf } from "./ran-with.ts";
import { recordedRequest } from "./recorded-request.ts";
import { dropsOf, recordedDrop, recordedEmit } from "./recorded-emits.ts";

/** An execution that has ended, before its commit. */
export interface EndedExecution {
  readonly cached: CachedSource;
  readonly executed: Executed;
  readonly settled: Settled;
  readonly trace: RunTrace;
  /** Epoch milliseconds. */
  readonly endedAt: number;
}

export interface RecordRules {
  readonly bounds: RecordBounds;
  readonly eventChars: number;
  /** Reads a source map. */
  readonly sources: AuthorSources;
}

/** The last log records within the bounds. */
function lastLogs(logs: readonly LogRecord[], { logs: most, items }: RecordBounds): readonly LogRecord[] {
  let room = most;
  const first = logs.findLastIndex((log, index) => {
    room -= JSON.stringify(log).length;
    return room < 0 || logs.length - index > items;
  });
  return logs.slice(first + 1);
}

type RecordedError = NonNullable<ExecutionDetail["error"]>;

function recordedError(
  error: GuestError,
  mask: SecretMask,
  sourceMap: string,
  { bounds, sources }: RecordRules,
): RecordedError {
  const frame = findCodeFrame(error.stack, sources(sourceMap).textOf);
  return {
    ...error,
    message: cutText(error.message, bounds.message),
    stack: cutText(error.stack, bounds.stack),
    ...(frame !== undefined && { frame: mask.text(frame) }),
  };
}

/** A response as a trace keeps it: a copy of its beginning. */
function recordedResponse(
  { status, headers, body }: GuestResponse,
  mask: SecretMask,
  room: Room,
  bounds: RecordBounds,
): RecordedResponse {
  // A secret across the end is masked as a whole.
  const head = body.subarray(0, 2 * bounds.body);
  return {
    status,
    headers: maskedHeaders(headers, mask, bounds),
    body: maskedBody({ bytes: body.byteLength, head }, mask, room, bounds) ?? { text: "" },
    bodyBytes: body.byteLength,
  };
}

/** Maps the items within the bounds, in steps. */
function* mapBounded<T, U>(items: readonly T[], most: number, map: (item: T) => U): Steps<U[]> {
  const mapped: U[] = [];
  for (const item of items) {
    if (mapped.length >= most) break;
    mapped.push(map(item));
    yield;
  }
  return mapped;
}

const noItems: readonly never[] = [];
const nothingOmitted: Omitted = {};

/** The numbers that are not 0. */
function omittedOf(counts: Required<Omitted>): Omitted {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return some.length === 0 ? nothingOmitted : Object.fromEntries(some);
}

/** The writes of an execution. */
interface Writes {
  readonly db: readonly DbSet[];
  readonly dataStores: readonly DataStoreSet[];
}

function* detailInSteps(ended: EndedExecution, writes: Writes, rules: RecordRules): Steps<ExecutionDetail> {
  const { cached, executed, settled, trace } = ended;
  const { mask, execution } = settled;
  const { bounds } = rules;
  const { event, cause } = executed;
  const { response, emits, dataStores: seen } = executed.collected;
  const isKept = executed.entry === "run" && event.length <= rules.eventChars;
  const maskedEvent = isKept ? yield* mask.json(event) : null;
  yield;
  const payloadParts = { mask, room: new Room(bounds.payloads), bounds };
  const stored = settled.events.filter(({ stream }) => stream === "emits");
  const emitted = yield* mapBounded(stored, bounds.items, (each) => recordedEmit(each, payloadParts));
  const drops = dropsOf(settled, emits);
  const dropped = yield* mapBounded(drops, bounds.items, (each) => recordedDrop(each, cached, payloadParts));
  const bodyRoom = new Room(bounds.bodies);
  const calls = yield* mapBounded(trace.exchanges, bounds.items, (each) => recordedCall(each, mask, bodyRoom, bounds));
  const dbRoom = new Room(bounds.db);
  const db = yield* mapBounded(writes.db, bounds.items, (each) =>
    recordedDbChange(each, cached.db.get(each.key), mask, dbRoom, bounds),
  );
  const storesRoom = new Room(bounds.db);
  const dataStores = yield* mapBounded(writes.dataStores, bounds.items, (each) =>
    recordedDataStoreChange(each, seen.before(each.name, each.key), mask, storesRoom, bounds),
  );
  const logs = execution.logs.length === 0 ? noItems : lastLogs(execution.logs, bounds);
  const { exports } = execution;
  return {
    ranWith: ranWithOf(cached, mask, bounds),
    event: maskedEvent,
    eventBytes: Buffer.byteLength(event),
    eventMasked: maskedEvent !== null && maskedEvent !== event ? true : undefined,
    httpProp: executed.httpProp,
    request: executed.received && recordedRequest(executed.received, mask, bodyRoom, bounds, isKept),
    hops: cause?.hops ?? 0,
    ofError: cause?.ofError === true ? true : undefined,
    emitted,
    dropped,
    logs,
    steps: trace.steps,
    calls,
    db,
    dataStores: dataStores.length === 0 ? undefined : dataStores,
    omitted: omittedOf({
      emitted: stored.length - emitted.length,
      dropped: drops.length - dropped.length,
      logs: execution.logs.length - logs.length,
      steps: trace.stepCount - trace.steps.length,
      calls: trace.exchangeCount - calls.length,
      db: writes.db.length - db.length,
      dataStores: writes.dataStores.length - dataStores.length,
    }),
    response: response ? recordedResponse(response, mask, bodyRoom, bounds) : null,
    exports: exports !== undefined && JSON.stringify(exports).length <= bounds.exports ? exports : undefined,
    error: execution.error && recordedError(execution.error, mask, executed.sourceMap, rules),
  };
}

const tenths = (ms: number): number => Math.round(ms * 10) / 10;

const longestPath = 200;

/** The request that started a run, in a line. */
function httpOf({ cached, executed, settled }: EndedExecution, { request }: ExecutionDetail): HttpSummary | undefined {
  if (!request) return undefined;
  const { method, target } = request;
  const { httpProp = "", collected } = executed;
  const below = `/in/${cached.source.endpoints[httpProp]}`;
  const at = target.indexOf(below);
  const path = at === -1 ? target : target.slice(at + below.length);
  const prop = cached.component.shape.props.find(({ name }) => name === httpProp);
  return {
    method,
    path: cutText(path.startsWith("/") ? path : `/${path}`, longestPath),
    status: sentStatus(prop, method, collected.response, settled.execution),
  };
}

function summaryOf(
  ended: EndedExecution,
  detail: ExecutionDetail,
  { db, dataStores }: Writes,
  most: number,
): ExecutionSummary {
  const { cached, executed, settled, trace, endedAt } = ended;
  const { execution, mask } = settled;
  const { outcome, origin } = executed;
  const { error, emitted } = execution;
  const summary = emitted[0]?.summary;
  return {
    id: executed.executionId,
    sourceId: cached.source.id,
    userId: cached.source.userId,
    // Calls of `options` and `additionalProps` are not recorded, and only answers are queued.
    entry: executed.entry as "run" | HookName,
    type: executed.type,
    status: execution.status as ExecutionStatus,
    cause: origin?.cause,
    replayOf: origin?.replayOf,
    queuedAt: executed.at,
    startedAt: trace.startedAt,
    endedAt,
    sandboxMs: trace.sandboxMs,
    durationMs: tenths(outcome.durationMs),
    computeMs: tenths(outcome.computeMs),
    memoryBytes: outcome.memoryBytes,
    emittedCount: emitted.length,
    deduped: execution.deduped,
    logCount: execution.logs.length,
    callCount: trace.exchangeCount,
    dbChangeCount: db.length,
    dataStoreChangeCount: dataStores.length === 0 ? undefined : dataStores.length,
    http: httpOf(ended, detail),
    appEvent: origin?.app,
    summary: summary === undefined ? undefined : mask.text(summary),
    error: error ? { code: error.code, name: error.name, message: cutText(error.message, most) } : undefined,
  };
}

/** Bytes of the fields that every record has. */
export const baseBytes: number = 1_024;

/** Characters of a value that are not small. */
const sizeOf = (detail: ExecutionDetail): number =>
  (detail.event?.length ?? 0) +
  (detail.ranWith ? JSON.stringify(detail.ranWith).length : 0) +
  detail.emitted.reduce((sum, { payload }) => sum + 200 + (payload?.length ?? 0), 0) +
  detail.dropped.reduce((sum, { payload }) => sum + 200 + (payload?.length ?? 0), 0) +
  [...detail.db, ...(detail.dataStores ?? [])].reduce(
    (sum, { before, after }) => sum + 100 + (before?.length ?? 0) + (after?.length ?? 0),
    0,
  ) +
  (detail.calls.length > 0 ? JSON.stringify(detail.calls).length : 0) +
  (detail.logs.length > 0 ? JSON.stringify(detail.logs).length : 0) +
  (detail.request ? JSON.stringify(detail.request).length : 0) +
  (detail.response ? JSON.stringify(detail.response).length : 0) +
  (detail.error ? detail.error.stack.length + detail.error.message.length + (detail.error.frame?.length ?? 0) : 0);

/** The record of an execution: masked, and bounded whatever the component did. Pure. */
export function* recordInSteps(ended: EndedExecution, rules: RecordRules): Steps<ExecutionRecord> {
  const { changes } = ended.settled;
  const writes = { db: dbSetsOf(changes), dataStores: dataStoreSetsOf(changes) };
  const detail = yield* detailInSteps(ended, writes, rules);
  const summary = summaryOf(ended, detail, writes, rules.bounds.shownMessage);
  return { summary, detail, bytes: baseBytes + sizeOf(detail) };
}
