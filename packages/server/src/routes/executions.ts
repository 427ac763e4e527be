import { type ExecutionPage, XError } from "@x/runtime";

import { textAnswer } from "@x/http";
import { checkEmitter, checkKind, type EmitterKind, emitterKinds } from "../emitter-kind.ts";
import { type Trigger, typeOfTrigger, viewExecutionDetail, viewExecutionSummary, viewExecution } from "@x/resources";
import { pageAnswer, type PageQuery, parseLimit } from "../page.ts";
import { type Route, tagged } from "../route.ts";
import { one, oneOfTexts, pageOf, stream } from "../route-answer.ts";
import type { ParameterSchema } from "../schema.ts";
import type { Streams } from "../stream/streams.ts";
import { pageParameters } from "./parameters.ts";

const route = tagged("Executions");

const cursor = {
  type: "string",
  pattern: "^([0-9A-Za-z]{27})?$",
  description: "an execution id",
} as const satisfies ParameterSchema;

interface ExecutionsQuery extends PageQuery {
  readonly status?: "" | NonNullable<ExecutionPage["status"]>;
  readonly since?: string;
  readonly q?: string;
  readonly trigger?: "" | Trigger;
  readonly min_ms?: string;
  readonly events?: "" | NonNullable<ExecutionPage["events"]>;
}

const triggers = ["timer", "http", "event", "manual", "hook", "app"] as const;

const listParameters = {
  limit: pageParameters.limit,
  after: cursor,
  before: cursor,
  status: {
    type: "string",
    enum: ["", "ok", "error", "timeout", "out_of_memory", "failed"],
    description: '"ok", "error", "timeout", "out_of_memory" or "failed", which is any but "ok"',
    shownAs: { type: "string", enum: ["ok", "error", "timeout", "out_of_memory", "failed"] },
  },
  since: {
    type: "string",
    pattern: "^([0-9]{1,15})?$",
    description: "epoch milliseconds; only executions that ended then or later",
    shownAs: { type: "integer", minimum: 0 },
  },
  q: {
    type: "string",
    maxLength: 200,
    description:
      "a text; only executions whose record has it: their id, event, emitted events, error, logs or requests; letters of ASCII match in either case",
  },
  trigger: {
    type: "string",
    enum: ["", ...triggers],
    description: '"timer", "http", "event", "manual" or "hook"',
    shownAs: { type: "string", enum: triggers },
  },
  min_ms: {
    type: "string",
    pattern: "^([0-9]{1,9})?$",
    description: "milliseconds; only executions that took at least so long",
    shownAs: { type: "integer", minimum: 0 },
  },
  events: {
    type: "string",
    enum: ["", "emitted", "none", "dropped"],
    description:
      '"emitted", "none" or "dropped": only executions that emitted events, none, or whose events were dropped',
    shownAs: { type: "string", enum: ["emitted", "none", "dropped"] },
  },
} as const satisfies Readonly<Record<string, ParameterSchema>>;

const parsePage = ({
  limit,
  after,
  before,
  status,
  since,
  q,
  trigger,
  min_ms: minMs,
  events,
}: ExecutionsQuery): ExecutionPage => ({
  limit: parseLimit(limit),
  ...(after && { after }),
  ...(before && { before }),
  ...(status && { status }),
  ...(since && { since: Number(since) }),
  ...(q && { text: q }),
  ...(trigger && { trigger: typeOfTrigger(trigger) }),
  ...(minMs && { minMs: Number(minMs) }),
  ...(events && { events }),
});

const listDescription = [
  "The newest commit is first. A service stores the last 100 of each source and the last 100 failed ones, unless it is",
  "configured otherwise. Cursors are execution ids, also of executions that are no longer stored. `q`, `trigger`, `min_ms`",
  "and `events` look through the newest 10,000 executions, and `q` through 64 MiB of records at most.",
].join("\n");

const listAnswer = pageOf("ExecutionSummary", "A page of executions; cursors are execution ids.");

const idOf = ({ id }: { readonly id: string }): string => id;

const listOfSource = (kind: EmitterKind): Route =>
  route(`GET ${kind.folder}/executions`, {
    name: `list${kind.infix}Executions`,
    summary: `List the executions of a ${kind.noun}, newest first`,
    description: listDescription,
    query: listParameters,
    answer: listAnswer,
    async handle({ runtime, params, query, select }) {
      checkKind(kind, params.id);
      const page = await runtime.storedExecutions(params.id, parsePage(query));
      return pageAnswer(page, idOf, (execution) => select(viewExecutionSummary(execution)));
    },
  });

const listAll = route("GET /executions", {
  name: "listAllExecutions",
  summary: "List the executions of all sources and workflows, newest first",
  description: listDescription,
  query: listParameters,
  answer: listAnswer,
  async handle({ runtime, query, select }) {
    const page = await runtime.storedExecutions(undefined, parsePage(query));
    return pageAnswer(page, idOf, (execution) => select(viewExecutionSummary(execution)));
  },
});

const readOne = route("GET /executions/:id", {
  name: "readExecution",
  summary: "Read an execution with everything that it received and did",
  description: [
    "Secrets of the source and of its accounts are `***`, and so are headers with credentials. Large events, payloads and",
    "bodies are left out or cut, and marked as `truncated`; `…_omitted` counts items that are left out.",
  ].join("\n"),
  answer: oneOfTexts("ExecutionDetail", "The execution."),
  handle: async ({ runtime, params }) => viewExecutionDetail(await runtime.execution(params.id)),
});

const makeTest = route("GET /executions/:id/test", {
  name: "makeTest",
  summary: "Make a test out of a run",
  description: [
    "The answer is the text of a vitest file for `@x/testing`, to be saved beside the component: with the event of the run,",
    "the answers that its requests got, what is known of its db and its dedupe state, and what it did. Secrets are replaced by",
    "stand-ins.",
  ].join("\n"),
  errors: ["not_replayable"],
  query: {
    component: {
      type: "string",
      maxLength: 256,
      description: "what the test imports the component from, such as `./orders.js`",
    },
  },
  answer: {
    status: 200,
    description: "The file.",
    mediaType: "text/plain",
    schema: { type: "string", description: "JavaScript." },
  },
  async handle({ runtime, params, query: { component } }) {
    return textAnswer(await runtime.executionTest(params.id, component ? { component } : {}));
  },
});

const replay = route("POST /executions/:id/replay", {
  name: "replayExecution",
  summary: "Run an execution again",
  description: [
    "The trigger has the same type and the same event, or the given one. The new execution has `replay_of`. For a request no",
    "client waits; the response is in the execution. The answer is that of a run.",
  ].join("\n"),
  bodyExample: { wait: false },
  errors: ["inactive", "queue_full", "not_replayable"],
  answer: one("Execution", "The run, or its id while it is queued."),
  body: {
    event: { description: "any JSON value" },
    wait: { type: "boolean", description: "true or false" },
  },
  handle: async ({ runtime, params, body }) => viewExecution(await runtime.replay(params.id, body)),
});

const streamDescription = [
  "Each execution is an unnamed event with the execution's id as `id:` and its summary as one line of JSON in `data:`, in",
  "the order of the commits. A comment line comes every 15 seconds.",
  "",
  "A client that comes back with `Last-Event-ID` (or `after`) first gets the stored executions that were committed after that",
  "one. When it is no longer stored, an event named `gap` with `{after}` comes first: others may be missing too. A client",
  "that is too slow is disconnected, and can resume.",
].join("\n");

const streamAll = (streams: Pick<Streams, "openExecutions">): Route =>
  route("GET /executions/stream", {
    name: "streamExecutions",
    summary: "Stream the executions of all sources and workflows",
    description: streamDescription,
    query: {
      source_id: { type: "string", maxLength: 256, description: "the id of a source or workflow; default: all" },
      after: cursor,
    },
    headers: { "last-event-id": { ...cursor, description: "an execution id; takes precedence over after" } },
    errors: ["not_found"],
    answer: stream("Executions until one side closes the connection."),
    async handle({ runtime, apiKey, query, headers, select, hold }) {
      const after = headers["last-event-id"] || query.after;
      const { source_id: sourceId } = query;
      if (sourceId === "") throw new XError("not_found", ["source", sourceId]);
      if (sourceId !== undefined) await checkEmitter(runtime, sourceId);
      return streams.openExecutions({
        runtime,
        apiKey,
        ...(sourceId !== undefined && { sourceId }),
        ...(after && { after }),
        select,
        hold,
      });
    },
  });

/** Stored executions. */
export const executionRoutes = (streams: Pick<Streams, "openExecutions">): readonly Route[] => [
  ...emitterKinds.map(listOfSource),
  listAll,
  streamAll(streams),
  readOne,
  makeTest,
  replay,
];
