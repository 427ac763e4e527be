import type * as Rest from "@x/client";
import { asJson, JsonText } from "@x/http";
import type {
  EmitListener,
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
  StoredExecutionDetail,
} from "@x/runtime";

import { viewBody } from "./body-view.ts";
import { executionSummary, summaryExample, summaryOptional, viewExecutionSummary } from "./executions.ts";
import { anyJson, decimal, flag, orNull, record, type Schema, schemaRef, text, whole } from "./shapes.ts";
import { viewBy } from "./view.ts";

const list = (items: Schema, description: string): Schema => ({ type: "array", items, description });
const headers: Schema = {
  type: "object",
  description: "Values by lower-case name, a repeated one as a list; those with credentials are `***`.",
};
const omitted = (what: string): Schema => whole(`How many ${what} are left out.`);

const labels = {
  summary: text("The label given to `$emit`."),
  dedupe_id: text("The id given to `$emit`."),
  ts: decimal("The time given to `$emit`."),
};
const payload = {
  payload: { description: "Any JSON value; null when it is left out." },
  payload_bytes: whole("Its size."),
  truncated: flag("It is left out, because it is too large."),
};

const listener = record(
  {
    id: text("A source, workflow or webhook."),
    kind: { type: "string", enum: ["source", "workflow", "webhook"] },
    delivery_id: text("The delivery to a webhook."),
    execution_id: text("The run of the source or workflow that the event triggers."),
    skipped: {
      type: "string",
      enum: ["inactive", "queue_full", "hop_limit"],
      description: "Why it does not get the event.",
    },
  },
  ["delivery_id", "execution_id", "skipped"],
);

const emitted = record(
  {
    id: text("The event."),
    name: text("Its channel."),
    ...labels,
    ...payload,
    listeners: list(listener, "Who gets the event."),
    listeners_omitted: omitted("listeners"),
  },
  ["summary", "dedupe_id", "ts", "truncated", "listeners_omitted"],
);

const dropped = record(
  {
    name: text("Its channel."),
    ...labels,
    reason: {
      type: "string",
      enum: ["duplicate", "repeated_in_run", "not_greater", "not_after_last", "invalid_id", "rolled_back"],
      description: "`rolled_back`: the run failed and is transactional. The others are reasons of the dedupe strategy.",
    },
    remembered: text("The id that the channel remembered, under `greatest` and `last`."),
    ...payload,
  },
  ["summary", "dedupe_id", "ts", "remembered", "truncated"],
);

const bodyOf = (name: string): Readonly<Record<string, Schema>> => ({
  [`${name}body`]: text("Its text."),
  [`${name}body_base64`]: text("Instead of the text, for a body that is not UTF-8."),
  [`${name}body_truncated`]: flag("Only its beginning is shown, or nothing."),
});
const requestBody = bodyOf("request_");
const responseBody = bodyOf("response_");

const call = record(
  {
    method: text("Its method."),
    url: text("Its URL."),
    status: { type: ["integer", "null"], description: "Null without a response." },
    error: text("Why there was no complete response."),
    started_ms: decimal("Milliseconds after the start of the execution."),
    duration_ms: { type: ["number", "null"], description: "Null if it had not ended when the execution ended." },
    request_bytes: whole("Size of the body."),
    response_bytes: { type: ["integer", "null"], description: "Size of the body; null without a response." },
    request_headers: headers,
    response_headers: headers,
    ...requestBody,
    ...responseBody,
  },
  ["error", ...Object.keys(requestBody), ...Object.keys(responseBody)],
);

const change = {
  key: text("The key."),
  before: { ...anyJson, description: "The value before; absent for a new key." },
  after: { ...anyJson, description: "The value after; absent for a deleted key." },
  truncated: flag("The values are left out, because they are too large."),
};
const changeOptional = ["before", "after", "truncated"];
const dbChange = record(change, changeOptional);
const dataStoreChange = record({ name: text("The data store."), ...change }, changeOptional);

const plainBody = bodyOf("");
const received = record(
  {
    method: text("Its method."),
    target: text("Path and query as the client sent them."),
    http_version: { type: ["string", "null"], description: "Such as `1.1`; null where it is not known." },
    headers: list(
      { type: "array", items: { type: "string" }, minItems: 2, maxItems: 2 },
      "Name and value of each header, in the order and case in which they were received.",
    ),
    headers_truncated: flag("The last headers are left out, because they are too large."),
    ...plainBody,
  },
  ["headers_truncated", ...Object.keys(plainBody)],
);

const ranWith = record({
  component_id: text("The component."),
  component_hash: text("SHA-256 of everything in its bundle, in hex."),
  configured_props: {
    type: ["object", "null"],
    additionalProperties: true,
    description:
      'Secret props are `{"$secret": NAME}`, app props have the id of their account; null when they are too large.',
  },
});

const step = record({ name: text("Its name."), started_ms: decimal("Milliseconds after the start of the execution.") });

const detail = {
  ...executionSummary,
  ran_with: {
    ...ranWith,
    description: "The component and the props that it ran with; absent in records of former versions.",
  },
  event: { description: "The event that `run` received; null for hooks, and when it is left out." },
  event_bytes: whole("Its size."),
  event_truncated: flag("The event is left out, because it is too large."),
  event_masked: flag("The event contained secrets, which are `***`. A replay needs another event."),
  request: {
    ...received,
    description: "The request to an endpoint as it was received; absent for other triggers and for a replay.",
  },
  emitted: list(emitted, "The events that were stored, in order."),
  dropped: list(dropped, "The events that were not stored, in order."),
  logs: list(schemaRef("LogRecord"), "The last log records."),
  steps: list(step, "The steps of a workflow that began, in order."),
  calls: list(call, "The requests of the component, in the order in which they began."),
  db: list(dbChange, "Changes of `$.service.db`."),
  data_stores: list(dataStoreChange, "Changes of data stores."),
  emitted_omitted: omitted("stored events"),
  dropped_omitted: omitted("dropped events"),
  logs_omitted: omitted("log records"),
  steps_omitted: omitted("steps"),
  calls_omitted: omitted("requests"),
  db_omitted: omitted("changes"),
  data_stores_omitted: omitted("changes"),
  response: orNull(
    record(
      { status: whole("HTTP status."), headers, ...plainBody, body_bytes: whole("Size of the body.") },
      Object.keys(plainBody),
    ),
    "The answer of the component, for a run with an HTTP request.",
  ),
  exports: {
    ...anyJson,
    description:
      "The return value and exports of an action, or of each step of a workflow by name; absent when too large.",
  },
  error: orNull(
    record(
      {
        code: text("For example `component_threw` or `sandbox_timeout`."),
        name: text("Name of the thrown error."),
        message: text("Its message."),
        stack: text("Where it was thrown, in the author's files."),
        hint: text("What may help against it."),
        frame: text("The author's lines around that place."),
      },
      ["hint", "frame"],
    ),
    "The error that ended it.",
  ),
} satisfies Readonly<Record<string, Schema>>;

const detailOptional = [
  ...summaryOptional,
  "ran_with",
  "event_truncated",
  "event_masked",
  "request",
  ...Object.keys(detail).filter((name) => name.endsWith("_omitted")),
  "exports",
];

/** Stored executions by name. */
export const executionSchemas: Readonly<Record<"ExecutionSummary" | "ExecutionDetail", Schema>> = {
  ExecutionSummary: { ...record(executionSummary, summaryOptional), examples: [summaryExample] },
  ExecutionDetail: {
    ...record(detail, detailOptional),
    examples: [
      {
        ...summaryExample,
        event: { timestamp: 1_795_200_360, interval_seconds: 300 },
        event_bytes: 48,
        emitted: [
          {
            id: "1795200360412-0",
            name: "",
            summary: "Bridge opens",
            dedupe_id: "bridge",
            payload: { headline: "Bridge opens" },
            payload_bytes: 27,
            listeners: [{ id: "wh_3fDk20TqLm", kind: "webhook", delivery_id: "dlv_3GmP0q7RzYwK5tLxVb2NcD8eFh2" }],
          },
        ],
        dropped: [],
        logs: [],
        steps: [],
        calls: [
          {
            method: "GET",
            url: "https://news.example/rss",
            status: 200,
            started_ms: 0.9,
            duration_ms: 402.5,
            request_bytes: 0,
            response_bytes: 19,
            request_headers: {},
            response_headers: { "content-type": "application/rss+xml" },
            response_body: "<rss>Bridge opens</rss>".slice(0, 19),
          },
        ],
        db: [{ key: "cursor", before: 3, after: 4 }],
        data_stores: [{ name: "customers", key: "ann", after: { plan: "pro" } }],
        response: null,
        error: null,
      },
    ],
  },
};

type Detail = Rest.ExecutionDetail;

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

const viewListener: (given: EmitListener) => Detail["emitted"][number]["listeners"][number] =
  viewBy<Detail["emitted"][number]["listeners"][number]>(listener);

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

const viewRanWith: (given: RanWith) => NonNullable<Detail["ran_with"]> =
  viewBy<NonNullable<Detail["ran_with"]>>(ranWith);

const viewStep = viewBy<Detail["steps"][number]>(step);

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
    steps: detail.steps.map(viewStep),
    calls: detail.calls.map(viewCall),
    db: detail.db.map(viewDbChange),
    data_stores: (detail.dataStores ?? []).map(viewDataStoreChange),
    ...Object.fromEntries(Object.entries(omitted).map(([name, count]) => [omittedName(name), count])),
    response: detail.response && viewResponse(detail.response),
    ...(detail.exports !== undefined && { exports: detail.exports }),
    error,
  };
}
