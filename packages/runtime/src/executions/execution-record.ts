import type { AuthorSource } from "../components/author/author-source.ts";
import type { CachedSource } from "../invocation/lane/source-cache.ts";
import type { RunTrace } from "../invocation/run-trace.ts";
import type { SecretMask } from "../invocation/secrets/secret-mask.ts";
import type { Executed, Settled } from "../invocation/settle.ts";
import type {
  ExecutionDetail,
  ExecutionRecord,
  ExecutionSummary,
  Omitted,
  RecordedResponse,
} from "../model/execution-model.ts";
import type { ExecutionStatus, GuestError, HookName, LogRecord } from "../model/model.ts";
import { cutText } from "../model/text-limits.ts";
import { mapInSteps, type Steps } from "../process/slices.ts";
import type { GuestResponse } from "../sandbox/contract.ts";
import { findCodeFrame } from "./code-frame.ts";
import { maskedBody, maskedHeaders, maskedJson } from "./masked.ts";
import { createRoom, type RecordBounds, type Room } from "./record-bounds.ts";
import { recordedCall } from "./recorded-calls.ts";
import { dbSetsOf, recordedDbChange } from "./recorded-db.ts";
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
  readonly sources: (sourceMap: string) => AuthorSource;
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
  const { map } = sources(sourceMap);
  const frame = findCodeFrame(error.stack, (file) => map.sourcesContent?.[map.sources.indexOf(file)] ?? undefined);
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

function recordedEvent(
  { event, entry, httpProp, cause }: Executed,
  mask: SecretMask,
  most: number,
): Pick<ExecutionDetail, "event" | "eventBytes" | "eventMasked" | "httpProp" | "hops" | "ofError"> {
  const isKept = entry === "run" && event.length <= most;
  const masked = isKept ? maskedJson(event, mask) : null;
  return {
    event: masked,
    eventBytes: Buffer.byteLength(event),
    ...(masked !== null && masked !== event && { eventMasked: true }),
    ...(httpProp !== undefined && { httpProp }),
    hops: cause?.hops ?? 0,
    ...(cause?.ofError === true && { ofError: true }),
  };
}

/** The numbers that are not 0. */
const withoutZeros = (counts: Required<Omitted>): Omitted =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));

function* detailInSteps(ended: EndedExecution, rules: RecordRules): Steps<ExecutionDetail> {
  const { cached, executed, settled, trace } = ended;
  const { mask, execution } = settled;
  const { bounds } = rules;
  const { response, emits } = executed.collected;
  const [payloadRoom, bodyRoom, dbRoom] = [
    createRoom(bounds.payloads),
    createRoom(bounds.bodies),
    createRoom(bounds.db),
  ];
  const payloadParts = { mask, room: payloadRoom, bounds };
  const event = recordedEvent(executed, mask, rules.eventChars);
  yield;
  const stored = settled.events.filter(({ stream }) => stream === "emits");
  const emitted = yield* mapInSteps(stored.slice(0, bounds.items), (each) => recordedEmit(each, payloadParts));
  yield;
  const drops = dropsOf(settled, emits);
  const dropped = yield* mapInSteps(drops.slice(0, bounds.items), (each) => recordedDrop(each, cached, payloadParts));
  yield;
  const calls = yield* mapInSteps(trace.exchanges, (each) => recordedCall(each, mask, bodyRoom, bounds));
  yield;
  const writes = dbSetsOf(settled.changes);
  const db = yield* mapInSteps(writes.slice(0, bounds.items), (each) =>
    recordedDbChange(each, cached.db.get(each.key), mask, dbRoom, bounds),
  );
  const logs = lastLogs(execution.logs, bounds);
  const { exports } = execution;
  return {
    ...event,
    emitted,
    dropped,
    logs,
    steps: trace.steps,
    calls,
    db,
    omitted: withoutZeros({
      emitted: stored.length - emitted.length,
      dropped: drops.length - dropped.length,
      logs: execution.logs.length - logs.length,
      steps: trace.stepCount - trace.steps.length,
      calls: trace.exchangeCount - calls.length,
      db: writes.length - db.length,
    }),
    response: response ? recordedResponse(response, mask, bodyRoom, bounds) : null,
    ...(exports !== undefined && JSON.stringify(exports).length <= bounds.exports && { exports }),
    error: execution.error && recordedError(execution.error, mask, executed.sourceMap, rules),
  };
}

function summaryOf({ cached, executed, settled, trace, endedAt }: EndedExecution, most: number): ExecutionSummary {
  const { execution, mask } = settled;
  const { error, emitted } = execution;
  const summary = emitted[0]?.summary;
  const { cause, replayOf } = executed.origin ?? {};
  return {
    id: executed.executionId,
    sourceId: cached.source.id,
    userId: cached.source.userId,
    // Calls of `options` and `additionalProps` are not recorded, and only answers are queued.
    entry: executed.entry as "run" | HookName,
    type: executed.type,
    status: execution.status as ExecutionStatus,
    ...(cause && { cause }),
    ...(replayOf !== undefined && { replayOf }),
    queuedAt: executed.at,
    startedAt: trace.startedAt,
    endedAt,
    durationMs: Math.round(executed.outcome.durationMs * 10) / 10,
    computeMs: Math.round(executed.outcome.computeMs * 10) / 10,
    memoryBytes: executed.outcome.memoryBytes,
    emittedCount: emitted.length,
    deduped: execution.deduped,
    logCount: execution.logs.length,
    callCount: trace.exchangeCount,
    dbChangeCount: dbSetsOf(settled.changes).length,
    ...(summary !== undefined && { summary: mask.text(summary) }),
    ...(error && { error: { code: error.code, name: error.name, message: cutText(error.message, most) } }),
  };
}

/** Bytes of the fields that every record has. */
const baseBytes = 1_024;

/** Characters of a value that are not small. */
const sizeOf = (detail: ExecutionDetail): number =>
  (detail.event?.length ?? 0) +
  detail.emitted.reduce((sum, { payload }) => sum + 200 + (payload?.length ?? 0), 0) +
  detail.dropped.reduce((sum, { payload }) => sum + 200 + (payload?.length ?? 0), 0) +
  detail.db.reduce((sum, { before, after }) => sum + 100 + (before?.length ?? 0) + (after?.length ?? 0), 0) +
  (detail.calls.length > 0 ? JSON.stringify(detail.calls).length : 0) +
  (detail.logs.length > 0 ? JSON.stringify(detail.logs).length : 0) +
  (detail.response ? JSON.stringify(detail.response).length : 0) +
  (detail.error ? detail.error.stack.length + detail.error.message.length + (detail.error.frame?.length ?? 0) : 0);

/** The record of an execution: masked, and bounded whatever the component did. Pure. */
export function* recordInSteps(ended: EndedExecution, rules: RecordRules): Steps<ExecutionRecord> {
  const detail = yield* detailInSteps(ended, rules);
  return {
    ...summaryOf(ended, rules.bounds.shownMessage),
    detail,
    bytes: baseBytes + sizeOf(detail),
  };
}
