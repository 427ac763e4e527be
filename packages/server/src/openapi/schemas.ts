import type { Schema } from "../route.ts";
import { accountSchemas } from "./account-schemas.ts";
import { appEventSchemas } from "./app-event-schemas.ts";
import { deliverySchemas } from "./delivery-schemas.ts";
import { executionSchemas } from "./execution-schemas.ts";
import { configurableProp, optionSchemas } from "./option-schemas.ts";
import { record, schemaRef } from "./shapes.ts";
import { projectSchemas } from "./project-schemas.ts";
import { emits, packages, sourceSchemas, warnings } from "./source-schemas.ts";
import { userSchemas } from "./user-schemas.ts";

const text = (description: string): Schema => ({ type: "string", description });
const whole = (description: string): Schema => ({ type: "integer", description });
const seconds: Schema = { type: "integer", description: "Epoch seconds." };
const anyJson: Schema = { description: "Any JSON value." };
const eventId: Schema = {
  type: "string",
  pattern: "^[0-9]+-[0-9]+$",
  description: "Epoch milliseconds, a hyphen and a sequence number; grows with time.",
};

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

const hint = text("What may help against it.");

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

const execution = record(
  {
    execution_id: text("27 characters, sortable."),
    status: { type: "string", enum: ["ok", "error", "timeout", "out_of_memory", "queued"] },
    duration_ms: whole("How long it took."),
    emitted: {
      type: "array",
      items: record({ id: eventId, summary: text("The label given to `$emit`.") }, ["summary"]),
    },
    deduped: whole("Events that the dedupe strategy held back."),
    response: {
      description: "The answer of the component, for a run with an HTTP request.",
      oneOf: [
        { type: "null" },
        record({ status: whole("HTTP status."), headers: { type: "object" }, body: text("As text; the first 4 MiB.") }),
      ],
    },
    exports: {
      ...anyJson,
      description:
        "The return value and exports of an action, or of each step of a workflow by name; absent for sources.",
    },
    logs: { type: "array", items: schemaRef("LogRecord") },
    error: {
      oneOf: [
        { type: "null" },
        record(
          {
            code: text("For example `component_threw` or `sandbox_timeout`."),
            name: text("Name of the thrown error."),
            message: text("Its message."),
            stack: text("Where it was thrown."),
            hint,
          },
          ["hint"],
        ),
      ],
    },
  },
  ["duration_ms", "emitted", "deduped", "response", "exports", "logs", "error"],
);

const workflow = {
  id: text("Starts with `p_`."),
  name: text("Its name."),
  name_slug: text("The name as a slug, by which configs and commands find it."),
  active: { type: "boolean", description: "Whether the running service has registered it." },
  endpoint_url: text("Where requests trigger it, when they do."),
  created_at: seconds,
  updated_at: seconds,
};
const workflowExample = {
  id: "p_9bLx2QwZr4TnYc",
  name: "Orders",
  name_slug: "orders",
  active: true,
  endpoint_url: "http://127.0.0.1:7777/in/4q0c9x5d7m2k8r1v6t3b0n9z5w7p",
  created_at: 1_795_200_000,
  updated_at: 1_795_200_000,
};

/** The schemas of the interface by name. */
export const schemas: Readonly<Record<string, Schema>> = {
  Error: {
    ...record({
      error: text("What went wrong, for people."),
      code: text("What went wrong, for programs."),
      details: {
        type: "object",
        description: "`errors` lists every problem of the request with its JSON pointer.",
        properties: {
          errors: {
            type: "array",
            items: {
              type: "object",
              properties: {
                in: { type: "string", enum: ["path", "query", "header", "body"] },
                path: { type: "string" },
                message: { type: "string" },
                file: text("The author's file, for problems of code."),
                line: { type: "integer" },
                column: { type: "integer" },
                frame: text("The lines around it."),
              },
              required: ["path", "message"],
            },
          },
        },
      },
    }),
    examples: [
      {
        error: 'Parameter "limit" must be an integer, got "ten".',
        code: "invalid_parameter",
        details: {
          parameter: "limit",
          received: "ten",
          errors: [{ in: "query", path: "/limit", message: "must be an integer" }],
        },
      },
    ],
  },
  PageInfo: {
    ...record({
      total_count: whole("Items of the whole list."),
      count: whole("Items of this page."),
      start_cursor: text("Cursor of the first item; empty on an empty page."),
      end_cursor: text("Cursor of the last item; empty on an empty page."),
    }),
    examples: [{ total_count: 12, count: 2, start_cursor: "ZGNfaDdUcTJXbjRaeA", end_cursor: "ZGNfOWFiQ2RFZkdoSQ" }],
  },
  Component: {
    ...record(
      {
        id: text("Starts with `sc_`."),
        code: text("The code as it was sent."),
        code_hash: { type: "string", pattern: "^[0-9a-f]{64}$", description: "SHA-256 of the code." },
        name: text("From the code."),
        version: text("From the code, in any form."),
        key: { type: ["string", "null"], description: "From the code; null when it has none." },
        description: text("From the code; absent when it has none."),
        configurable_props: {
          type: "array",
          description: "Its props in the order of the code; functions are replaced by flags such as `remoteOptions`.",
          items: configurableProp,
        },
        component_url: { type: ["string", "null"], description: "The origin of the code; null when unknown." },
        emits,
        packages,
        warnings,
        created_at: seconds,
        updated_at: seconds,
      },
      ["description", "emits", "packages", "warnings"],
    ),
    examples: [
      {
        id: "sc_4mPz81KcYd",
        code: 'export default { name: "Press releases", version: "1.0.0", … }',
        code_hash: "9f2c".repeat(16),
        name: "Press releases",
        version: "1.0.0",
        key: "press-releases",
        configurable_props: [
          { name: "feed", type: "string", label: "Feed URL" },
          { name: "timer", type: "$.interface.timer", default: { intervalSeconds: 300 } },
        ],
        component_url: null,
        created_at: 1_795_200_000,
        updated_at: 1_795_200_000,
      },
    ],
  },
  ...sourceSchemas,
  ...projectSchemas,
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
  Workflow: { ...record(workflow, ["endpoint_url"]), examples: [workflowExample] },
  WorkflowDetail: {
    ...record(
      {
        ...workflow,
        steps: {
          type: "array",
          items: { type: "string" },
          description: "Names in order; empty when a function of the embedding process runs instead.",
        },
        awaited_source: text("The name of the source that its trigger waits for, while there is none."),
        warnings,
      },
      ["endpoint_url", "awaited_source", "warnings"],
    ),
    examples: [{ ...workflowExample, steps: ["words", "tell"] }],
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
  Execution: {
    ...execution,
    examples: [
      {
        execution_id: "3GmP0q7RzYwK5tLxVb2NcD8eFh0",
        status: "ok",
        duration_ms: 41,
        emitted: [{ id: "1795200360412-0", summary: "Bridge opens" }],
        deduped: 7,
        response: null,
        logs: [],
        error: null,
      },
      { execution_id: "3GmP0q7RzYwK5tLxVb2NcD8eFh0", status: "queued" },
    ],
  },
  DbEntry: {
    ...record({
      key: text("1 to 512 bytes."),
      value: anyJson,
      updated_at: { type: ["integer", "null"], description: "Epoch seconds; null when the store does not record it." },
    }),
    examples: [{ key: "cursor", value: { page: 4 }, updated_at: 1_795_200_360 }],
  },
  DataStore: {
    ...record({
      name: text("The name that sources are configured with."),
      keys: { type: "integer", description: "How many keys it has." },
      bytes: { type: "integer", description: "All keys and values together." },
      updated_at: { type: "integer", description: "When a key was last set, in epoch seconds." },
    }),
    examples: [{ name: "customers", keys: 12, bytes: 840, updated_at: 1_795_200_360 }],
  },
  DbValue: {
    ...record({ key: text("1 to 512 bytes."), value: anyJson }),
    examples: [{ key: "cursor", value: { page: 4 } }],
  },
  ...optionSchemas,
  ...deliverySchemas,
  ...executionSchemas,
  ...userSchemas,
  ...accountSchemas,
  ...appEventSchemas,
};
