import type { Schema } from "../route.ts";
import { record, schemaRef } from "./shapes.ts";

const text = (description: string): Schema => ({ type: "string", description });
const whole = (description: string): Schema => ({ type: "integer", description });
const decimal = (description: string): Schema => ({ type: "number", description });
const ms: Schema = { type: "integer", description: "Epoch milliseconds." };
const anyJson: Schema = { description: "Any JSON value." };
const flag = (description: string): Schema => ({ type: "boolean", const: true, description });
const list = (items: Schema, description: string): Schema => ({ type: "array", items, description });
const orNull = (schema: Schema, description: string): Schema => ({ description, oneOf: [{ type: "null" }, schema] });
const headers: Schema = {
  type: "object",
  description: "Values by lower-case name, a repeated one as a list; those with credentials are `***`.",
};
const omitted = (what: string): Schema => whole(`How many ${what} are left out.`);

const summary = {
  execution_id: text("27 characters; `execution_id` of its log records."),
  source_id: text("A source or workflow."),
  entry: { type: "string", enum: ["run", "deploy", "activate", "deactivate"], description: "`run`, or a hook." },
  trigger: {
    type: "string",
    enum: ["timer", "http", "event", "manual", "hook", "app"],
    description: "What started it.",
  },
  status: { type: "string", enum: ["ok", "error", "timeout", "out_of_memory"], description: "How it ended." },
  undone: flag("Of a hook whose change was undone: nothing that it emitted and wrote remains."),
  replay_of: { type: ["string", "null"], description: "The execution that it repeats." },
  cause: orNull(
    record(
      {
        source_id: text("The source or workflow that emitted the event, or sent the request."),
        event_id: { type: ["string", "null"], description: "The event; null for a request." },
        execution_id: text("The execution that emitted it, if it was stored."),
      },
      ["execution_id"],
    ),
    "What inside of the service led to it.",
  ),
  queued_at: ms,
  started_at: ms,
  ended_at: ms,
  duration_ms: decimal("Wall time of the call."),
  phases: record({
    queued_ms: decimal("From the acceptance of its trigger to its start."),
    sandbox_ms: decimal("From the start to the end of the call, with its wait for a thread."),
    commit_ms: {
      type: ["number", "null"],
      description:
        "Duration of its commit; null for executions before the last start of the service, and for old ones.",
    },
  }),
  compute_ms: decimal("Time spent executing the component's code."),
  memory_bytes: whole("Memory of the sandbox at the end."),
  emitted_count: whole("Events that were stored."),
  deduped: whole("Events that the dedupe strategy dropped."),
  log_count: whole("Log records."),
  call_count: whole("Requests of the component."),
  db_change_count: whole("Keys of `$.service.db` that were set or deleted."),
  data_store_change_count: whole("Keys of data stores that were set or deleted."),
  app_event: {
    ...record({
      app: text("Slug of the app."),
      names: { type: "array", items: { type: "string" }, description: "Its names." },
      event_id: { type: ["string", "null"], description: "The id that the service repeats." },
    }),
    description: "The event of an app that started it; absent for other runs.",
  },
  http: {
    ...record({
      method: text("Its method."),
      path: text("Its path and query below the endpoint; the beginning of a long one."),
      status: whole("The status that was sent to the client."),
    }),
    description: "The request of a client that started it; absent for other runs.",
  },
  summary: { type: ["string", "null"], description: "The label of its first event." },
  error: orNull(
    record({ name: text("Its name."), message: text("The beginning of its message."), code: text("Its code.") }),
    "The error that ended it.",
  ),
} satisfies Readonly<Record<string, Schema>>;

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

const emitted = record(
  {
    id: text("The event."),
    name: text("Its channel."),
    ...labels,
    ...payload,
    listeners: list(
      record(
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
      ),
      "Who gets the event.",
    ),
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

const detail = {
  ...summary,
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
  steps: list(
    record({ name: text("Its name."), started_ms: decimal("Milliseconds after the start of the execution.") }),
    "The steps of a workflow that began, in order.",
  ),
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

const summaryOptional = ["undone", "http", "app_event"];
const detailOptional = [
  ...summaryOptional,
  "ran_with",
  "event_truncated",
  "event_masked",
  "request",
  ...Object.keys(detail).filter((name) => name.endsWith("_omitted")),
  "exports",
];

const summaryExample = {
  execution_id: "3GmP0q7RzYwK5tLxVb2NcD8eFh0",
  source_id: "dc_h7Tq2Wn4Zx",
  entry: "run",
  trigger: "timer",
  status: "ok",
  replay_of: null,
  cause: null,
  queued_at: 1_795_200_360_000,
  started_at: 1_795_200_360_002,
  ended_at: 1_795_200_360_412,
  duration_ms: 408.3,
  phases: { queued_ms: 2, sandbox_ms: 408.3, commit_ms: 1.8 },
  compute_ms: 3.1,
  memory_bytes: 4_194_304,
  emitted_count: 1,
  deduped: 0,
  log_count: 0,
  call_count: 1,
  db_change_count: 1,
  data_store_change_count: 1,
  summary: "Bridge opens",
  error: null,
};

/** Stored executions by name. */
export const executionSchemas: Readonly<Record<string, Schema>> = {
  ExecutionSummary: { ...record(summary, summaryOptional), examples: [summaryExample] },
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
