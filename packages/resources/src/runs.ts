import type * as Rest from "@x/client";
import type { Execution } from "@x/runtime";

import { anyJson, eventId, hint, record, type Schema, schemaRef, text, whole } from "./shapes.ts";

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

/** Schemas of what a request to run a source is answered with, by name. */
export const runSchemas: Readonly<Record<"Execution", Schema>> = {
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
};

export function viewExecution(execution: Execution): Rest.Execution {
  const { executionId, status } = execution;
  if (status === "queued") return { execution_id: executionId, status };
  return {
    execution_id: executionId,
    status,
    duration_ms: Math.round(execution.durationMs),
    emitted: execution.emitted,
    deduped: execution.deduped,
    response: execution.response as NonNullable<Rest.Execution["response"]> | null,
    ...(execution.exports !== undefined && { exports: execution.exports }),
    logs: execution.logs,
    error: execution.error,
  };
}
