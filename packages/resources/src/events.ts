import type * as Rest from "@x/client";
import { asJson, JsonText } from "@x/http";
import type { StoredEvent } from "@x/runtime";

import { anyJson, eventId, hint, record, type Schema, schemaRef, text, whole } from "./shapes.ts";

const metadata = record(
  {
    emit_id: { type: "string", pattern: "^[0-9A-Za-z]{27}$", description: "Sortable id of the emit." },
    name: text("The channel; empty for the default one, `$errors` and `$logs` for records of those streams."),
    emitter_id: text("The source or workflow."),
    id: text("The id that the component gave, as text."),
    summary: text("The label that the component gave."),
    ts: { type: "number", description: "The time that the component gave, epoch milliseconds." },
  },
  ["id", "summary", "ts"],
);

const summary = {
  id: eventId,
  indexed_at_ms: whole("When it was stored, epoch milliseconds."),
  event_truncated: { type: "boolean", const: true, description: "The event is omitted: it is larger than 1 KB." },
  event_bytes: whole("Its size in bytes, when it is left out."),
  metadata,
};

const summaryOf = (event: Schema): Schema => record({ ...summary, event }, ["event", "event_truncated", "event_bytes"]);

const thrown = record(
  { name: text("Its name."), message: text("Its message."), stack: text("Where it was thrown."), hint },
  ["hint"],
);

const logRecord = record(
  {
    k: text("`console.log`, `console.warn`, …; `err` for an error."),
    ts: { type: "number", description: "Epoch milliseconds." },
    msg: text("The text as a console shows it."),
    data: { type: "array", items: anyJson, description: "The arguments." },
    err: thrown,
    execution_id: text("The run or hook that left it."),
    context: text("The hook that left it, for example `hook.deploy`."),
  },
  ["msg", "data", "err", "context"],
);

const errorRecord = record({
  original_event: anyJson,
  original_context: record({
    id: text("The execution."),
    ts: { type: "string", format: "date-time", description: "When its trigger was accepted." },
    workflow_id: text("The source or workflow."),
    deployment_id: text("Starts with `d_`."),
    source_type: { type: "string", enum: ["TIMER", "HTTP", "MANUAL", "SUBSCRIPTION", "HOOK", "APP"] },
    verified: { type: "boolean" },
    owner_id: text("Starts with `u_`."),
    platform_version: text("Version of the runtime."),
  }),
  error: record(
    {
      code: text("Name of the error."),
      cellId: text("`c_run`, `c_deploy`, …; of a workflow `c_` and the name of the step."),
      msg: text("Its message."),
      ts: { type: "string", format: "date-time" },
      stack: text("Where it was thrown, in the author's files."),
      hint,
    },
    ["hint"],
  ),
});

/** Schemas of stored events, errors and log records, by name. */
export const eventSchemas: Readonly<
  Record<"EventSummary" | "WorkflowEventSummary" | "ErrorRecord" | "ErrorSummary" | "LogRecord" | "LogSummary", Schema>
> = {
  EventSummary: {
    ...summaryOf(anyJson),
    examples: [
      {
        id: "1795200360412-0",
        indexed_at_ms: 1_795_200_360_412,
        event: { headline: "Bridge opens", link: "https://news.example/bridge" },
        metadata: {
          emit_id: "3GmP0q7RzYwK5tLxVb2NcD8eFh1",
          name: "",
          emitter_id: "dc_h7Tq2Wn4Zx",
          id: "bridge",
          summary: "Bridge opens",
          ts: 1_795_200_300_000,
        },
      },
    ],
  },
  WorkflowEventSummary: {
    ...summaryOf(record({ raw_event: anyJson })),
    examples: [
      {
        id: "1795200360590-0",
        indexed_at_ms: 1_795_200_360_590,
        event: { raw_event: { order: 7, paid: true } },
        metadata: { emit_id: "3GmP0q7RzYwK5tLxVb2NcD8eFh2", name: "", emitter_id: "p_9bLx2QwZr4TnYc" },
      },
    ],
  },
  ErrorRecord: errorRecord,
  ErrorSummary: summaryOf(schemaRef("ErrorRecord")),
  LogRecord: {
    ...logRecord,
    examples: [
      {
        k: "console.log",
        ts: 1_795_200_360_398,
        msg: "3 new items",
        data: ["3 new items"],
        execution_id: "3GmP0q7RzYwK5tLxVb2NcD8eFh0",
      },
    ],
  },
  LogSummary: summaryOf(schemaRef("LogRecord")),
};

/** Largest event, in bytes, that lists contain without `expand=event`. */
export const wholeEventBytes = 1024;

/** The event as answers show it: an event of a workflow is wrapped in an object. */
export const shownEvent = ({ emitterId, stream, payload }: StoredEvent): JsonText =>
  stream === "emits" && emitterId.startsWith("p_")
    ? new JsonText('{"raw_event":', payload, "}")
    : new JsonText(payload);

/** An event; its size instead of a payload that the page omits. */
export function viewEvent(stored: StoredEvent): Rest.EventSummary {
  const event =
    stored.payloadBytes === undefined
      ? { event: asJson(shownEvent(stored)) }
      : { event_truncated: true as const, event_bytes: stored.payloadBytes };
  return {
    id: stored.id,
    indexed_at_ms: stored.indexedAt,
    ...event,
    metadata: {
      emit_id: stored.emitId,
      name: stored.name,
      emitter_id: stored.emitterId,
      ...(stored.dedupeId !== undefined && { id: stored.dedupeId }),
      ...(stored.summary !== undefined && { summary: stored.summary }),
      ...(stored.ts !== undefined && { ts: stored.ts }),
    },
  };
}
