import type * as Rest from "@x/client";
import type { SourceType, StoredExecution } from "@x/runtime";

import { viewBy } from "./view.ts";
import { decimal, flag, orNull, record, type Schema, text, whole } from "./shapes.ts";

const ms: Schema = { type: "integer", description: "Epoch milliseconds." };

const cause = record(
  {
    source_id: text("The source or workflow that emitted the event, or sent the request."),
    event_id: { type: ["string", "null"], description: "The event; null for a request." },
    execution_id: text("The execution that emitted it, if it was stored."),
  },
  ["execution_id"],
);

/** The members of an execution in a list. */
export const executionSummary: Readonly<Record<string, Schema>> = {
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
  cause: orNull(cause, "What inside of the service led to it."),
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
};

/** Those of them that may be absent. */
export const summaryOptional: readonly string[] = ["undone", "http", "app_event"];

export const summaryExample: Readonly<Record<string, unknown>> = {
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

/** How REST names what starts runs. */
export const triggers: { readonly [type in SourceType]: Rest.ExecutionSummary["trigger"] } = {
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

const appEventView = viewBy<NonNullable<Rest.ExecutionSummary["app_event"]>>(executionSummary["app_event"] ?? {});
const causeView = viewBy<NonNullable<Rest.ExecutionSummary["cause"]>>(cause);
const summaryView = viewBy<
  Rest.ExecutionSummary,
  "execution_id" | "trigger" | "data_store_change_count" | "cause" | "phases" | "app_event" | "error"
>(record(executionSummary, summaryOptional));

/** An execution in a list or stream. */
export const viewExecutionSummary = (execution: StoredExecution): Rest.ExecutionSummary =>
  summaryView(execution, {
    execution_id: execution.id,
    trigger: triggers[execution.type],
    cause: execution.cause ? causeView(execution.cause) : null,
    phases: {
      queued_ms: Math.max(0, execution.startedAt - execution.queuedAt),
      sandbox_ms: execution.sandboxMs,
      commit_ms: execution.commitMs,
    },
    data_store_change_count: execution.dataStoreChangeCount ?? 0,
    ...(execution.appEvent && { app_event: appEventView(execution.appEvent) }),
    error: execution.error
      ? { name: execution.error.name, message: execution.error.message, code: execution.error.code }
      : null,
  });
