import type * as Rest from "@x/client";
import type {
  EmitListener,
  ExecutionCause,
  Json,
  RanWith,
  RecordedCall,
  RecordedDataStoreChange,
  RecordedDbChange,
  RecordedDrop,
  RecordedEmit,
  RecordedPayload,
  RecordedRequest,
  RecordedResponse,
  SourceType,
  StoredExecution,
  StoredExecutionDetail,
} from "@x/runtime";

import { viewBody } from "./body-view.ts";
import { asJson, JsonText } from "@x/http";

const triggers: { readonly [type in SourceType]: Rest.ExecutionSummary["trigger"] } = {
  TIMER: "timer",
  HTTP: "http",
  SUBSCRIPTION: "event",
  MANUAL: "manual",
  HOOK: "hook",
  APP: "app",
};

export type Trigger = Rest.ExecutionSummary["trigger"];

/** The type of a source's triggers, by its name in REST. */
export const typeOfTrigger = (name: Trigger): SourceType =>
  (Object.keys(triggers) as SourceType[]).find((type) => triggers[type] === name) ?? "MANUAL";

const viewCause = ({ sourceId, eventId, executionId }: ExecutionCause) => ({
  source_id: sourceId,
  event_id: eventId ?? null,
  ...(executionId !== undefined && { execution_id: executionId }),
});

/** An execution in a list or stream. */
export function viewExecutionSummary(execution: StoredExecution): Rest.ExecutionSummary {
  const { error, cause, undone, http, appEvent, summary = null } = execution;
  return {
    execution_id: execution.id,
    source_id: execution.sourceId,
    entry: execution.entry,
    trigger: triggers[execution.type],
    status: execution.status,
    ...(undone && { undone }),
    replay_of: execution.replayOf ?? null,
    cause: cause ? viewCause(cause) : null,
    queued_at: execution.queuedAt,
    started_at: execution.startedAt,
    ended_at: execution.endedAt,
    duration_ms: execution.durationMs,
    phases: {
      queued_ms: Math.max(0, execution.startedAt - execution.queuedAt),
      sandbox_ms: execution.sandboxMs,
      commit_ms: execution.commitMs,
    },
    compute_ms: execution.computeMs,
    memory_bytes: execution.memoryBytes,
    emitted_count: execution.emittedCount,
    deduped: execution.deduped,
    log_count: execution.logCount,
    call_count: execution.callCount,
    db_change_count: execution.dbChangeCount,
    data_store_change_count: execution.dataStoreChangeCount ?? 0,
    ...(http && { http }),
    ...(appEvent && { app_event: viewAppEvent(appEvent) }),
    summary,
    error: error ? { name: error.name, message: error.message, code: error.code } : null,
  };
}

const viewAppEvent = ({ app, names, eventId }: NonNullable<StoredExecution["appEvent"]>) => ({
  app,
  names: [...names],
  event_id: eventId ?? null,
});

const jsonOf = (text: string | null): Json => (text === null ? null : asJson(new JsonText(text)));

const viewPayload = ({ payload, payloadBytes }: RecordedPayload) => ({
  payload: jsonOf(payload),
  payload_bytes: payloadBytes,
  ...(payload === null && { truncated: true as const }),
});

const viewLabels = ({ summary, dedupeId, ts }: Pick<RecordedDrop, "summary" | "dedupeId" | "ts">) => ({
  ...(summary !== undefined && { summary }),
  ...(dedupeId !== undefined && { dedupe_id: dedupeId }),
  ...(ts !== undefined && { ts }),
});

const viewListener = ({ id, kind, deliveryId, executionId, skipped }: EmitListener) => ({
  id,
  kind,
  ...(deliveryId !== undefined && { delivery_id: deliveryId }),
  ...(executionId !== undefined && { execution_id: executionId }),
  ...(skipped !== undefined && { skipped }),
});

const viewEmit = (emit: RecordedEmit) => ({
  id: emit.id,
  name: emit.name,
  ...viewLabels(emit),
  ...viewPayload(emit),
  listeners: emit.listeners.map(viewListener),
  ...(emit.listenersOmitted !== undefined && { listeners_omitted: emit.listenersOmitted }),
});

const viewDrop = (drop: RecordedDrop) => ({
  name: drop.name,
  ...viewLabels(drop),
  reason: drop.reason,
  ...(drop.remembered !== undefined && { remembered: drop.remembered }),
  ...viewPayload(drop),
});

const viewCall = (call: RecordedCall) => ({
  method: call.method,
  url: call.url,
  status: call.status,
  ...(call.error !== undefined && { error: call.error }),
  started_ms: call.startedMs,
  duration_ms: call.durationMs,
  request_bytes: call.requestBytes,
  response_bytes: call.responseBytes,
  request_headers: call.requestHeaders,
  response_headers: call.responseHeaders,
  ...viewBody("request_", call.requestBody),
  ...viewBody("response_", call.responseBody),
});

const viewDbChange = ({ key, before, after, truncated }: RecordedDbChange) => ({
  key,
  ...(before !== null && { before: jsonOf(before) }),
  ...(after !== null && { after: jsonOf(after) }),
  ...(truncated && { truncated }),
});

const viewDataStoreChange = ({ name, ...change }: RecordedDataStoreChange) => ({ name, ...viewDbChange(change) });

/** Names of omitted items, with the suffix of their count. */
const omittedName = (name: string): string => `${name === "dataStores" ? "data_stores" : name}_omitted`;

const viewRequest = (request: RecordedRequest) => ({
  method: request.method,
  target: request.target,
  http_version: request.httpVersion ?? null,
  headers: request.headers,
  ...(request.headersTruncated && { headers_truncated: true as const }),
  ...viewBody("", request.body),
});

const viewResponse = ({ status, headers, body, bodyBytes }: RecordedResponse) => ({
  status,
  headers,
  ...viewBody("", body),
  body_bytes: bodyBytes,
});

const viewRanWith = ({ componentId, componentHash, configuredProps }: RanWith) => ({
  component_id: componentId,
  component_hash: componentHash,
  configured_props: configuredProps,
});

/** An execution with everything that it received and did. */
export function viewExecutionDetail(execution: StoredExecutionDetail): Rest.ExecutionDetail {
  const { detail, entry } = execution;
  const { omitted, error } = detail;
  return {
    ...viewExecutionSummary(execution),
    ...(detail.ranWith && { ran_with: viewRanWith(detail.ranWith) }),
    event: jsonOf(detail.event),
    event_bytes: detail.eventBytes,
    ...(entry === "run" && detail.event === null && { event_truncated: true }),
    ...(detail.eventMasked && { event_masked: true }),
    ...(detail.request && { request: viewRequest(detail.request) }),
    emitted: detail.emitted.map(viewEmit),
    dropped: detail.dropped.map(viewDrop),
    logs: detail.logs,
    steps: detail.steps.map(({ name, startedMs }) => ({ name, started_ms: startedMs })),
    calls: detail.calls.map(viewCall),
    db: detail.db.map(viewDbChange),
    data_stores: (detail.dataStores ?? []).map(viewDataStoreChange),
    ...Object.fromEntries(Object.entries(omitted).map(([name, count]) => [omittedName(name), count])),
    response: detail.response && viewResponse(detail.response),
    ...(detail.exports !== undefined && { exports: detail.exports }),
    error,
  };
}
