import {
  compareEventIds,
  type EventRange,
  type EventPage,
  type Paged,
  type StoredEvent,
  type StreamKind,
  readEach,
  XError,
} from "@x/runtime";

import { jsonAnswer, JsonText } from "@x/http";
import { type EventFilter, filterEvents, parsePointerTest } from "../event-filter.ts";
import { readEventSchema } from "../event-schema.ts";
import { viewEvent, wholeEventBytes } from "@x/resources";
import { eventCursor, type PageQuery, parseEventIdParameter, parseEventPage, textPageAnswer } from "../page.ts";
import { type Route, tagged } from "../route.ts";
import { one, pageOf } from "../route-answer.ts";
import type { ParameterSchema } from "../schema.ts";
import { checkKind, type EmitterKind, emitterKinds } from "../emitter-kind.ts";
import { eventCursorParameter, eventIdParameter, eventPageParameters } from "./parameters.ts";

const route = tagged("Events");

interface EventsQuery extends PageQuery {
  readonly expand?: "" | "event";
  readonly name?: string;
  readonly since_id?: string;
  readonly q?: string;
}

interface RangeQuery {
  readonly start_id?: string;
  readonly end_id?: string;
}

const listParameters = {
  ...eventPageParameters,
  expand: {
    type: "string",
    enum: ["", "event"],
    description: '"event"',
    shownAs: { type: "string", enum: ["event"] },
  },
  name: {
    type: "string",
    maxLength: 256,
    description: "the name of a channel; default and empty are the default stream",
  },
  since_id: { ...eventCursorParameter, description: "an event id; only events after it" },
  q: {
    type: "string",
    maxLength: 1_000,
    pattern: "^((/[^=]*)?=.*)?$",
    description:
      "a JSON pointer into the event, an equals sign and a value, such as /status=open; searches 16 MiB of events at most",
  },
} as const satisfies Readonly<Record<string, ParameterSchema>>;

function parseRange(query: RangeQuery): EventRange {
  const { start, end } = readEach({
    start: () => parseEventIdParameter("start_id", query.start_id),
    end: () => parseEventIdParameter("end_id", query.end_id),
  });
  if (start && end && compareEventIds(start, end) > 0)
    throw new XError("invalid_parameter", ["start_id", `at most end_id ${end}`, start]);
  return { ...(start && { start }), ...(end && { end }) };
}

function parseFilter(query: EventsQuery): EventFilter {
  const since = parseEventIdParameter("since_id", query.since_id === "" ? undefined : query.since_id);
  return {
    // G18: `default` names the default channel, as in subscriptions and streams.
    ...(query.name !== undefined && { name: query.name === "default" ? "" : query.name }),
    ...(since && { since }),
    ...(query.q && { matches: parsePointerTest(query.q) }),
  };
}

type Part = "" | "/$errors" | "/$logs";
type Folder = `${EmitterKind["folder"]}${Part}`;

interface StreamWords {
  readonly part: Part;
  readonly stream: StreamKind;
  /** Part of the routes' names. */
  readonly noun: string;
  readonly schema: string;
}

function streamRoutes(kind: EmitterKind, { part, stream, noun, schema }: StreamWords): Route[] {
  const what = stream === "emits" ? "events" : stream;
  const folder: Folder = `${kind.folder}${part}`;
  const { tag } = kind;
  return [
    tagged(tag)(`GET ${folder}/event_summaries`, {
      name: `list${kind.infix}${noun}`,
      summary: `List ${what} of a ${kind.noun}, newest first`,
      description: [
        "A service stores the last 100, unless it is configured otherwise. Payloads over 1 KB are omitted without `expand=event`.",
        "`after` means older than, `before` newer than that event.",
        "A page may have fewer events than `limit`: its payloads are at most 8 MiB, unless it has a single event. Continue with",
        "its cursors; a page without events is the last.",
      ].join("\n"),
      query: listParameters,
      answer: pageOf(schema, "A page of summaries; cursors are event ids."),
      async handle({ runtime, params, query, select, hold }) {
        checkKind(kind, params.id);
        const wanted: EventPage = {
          ...parseEventPage(query),
          ...(query.expand !== "event" && { wholeBytes: wholeEventBytes }),
          admit: hold.resize,
        };
        const stored = (page: EventPage): Promise<Paged<StoredEvent>> => runtime.storedEvents(params.id, stream, page);
        // Checks cursors first, because a filter reads its own pages.
        if (wanted.after ?? wanted.before) await stored({ ...wanted, limit: 1, wholeBytes: 0, onlyKnown: true });
        const page = await filterEvents(stored, parseFilter(query))(wanted);
        return textPageAnswer(page, eventCursor, (event) => select(viewEvent(event)));
      },
    }),
    tagged(tag)(`DELETE ${folder}/events`, {
      name: `delete${kind.infix}${noun}`,
      summary: `Delete ${what} of a ${kind.noun}, all or an inclusive range`,
      description: "Events that are stored after the request stay. The dedupe state stays too.",
      query: { start_id: eventIdParameter, end_id: eventIdParameter },
      answer: { status: 202, description: "The deletion is accepted.", schema: { type: "object", maxProperties: 0 } },
      async handle({ runtime, params, query }) {
        checkKind(kind, params.id);
        await runtime.deleteEvents(params.id, stream, parseRange(query));
        return jsonAnswer(202, {});
      },
    }),
  ];
}

const eventSchemaRoute = route("GET /sources/:id/event_schema", {
  name: "readEventSchema",
  summary: "Read what the events of a source look like",
  description: [
    "As its component declares them in `emits`; else inferred from the newest 100 stored ones, without those over 64 KiB, to 1 MiB",
    "together; else from the example of the component.",
  ].join("\n"),
  answer: one("EventSchema", "A JSON Schema."),
  handle: async ({ runtime, params }) => await readEventSchema(runtime, await runtime.source(params.id)),
});

/** Stored events of sources and workflows, and what they look like. */
export const eventRoutes: readonly Route[] = emitterKinds.flatMap((kind) => [
  ...(kind.noun === "source" ? [eventSchemaRoute] : []),
  ...streamRoutes(kind, { part: "", stream: "emits", noun: "Events", schema: kind.eventSchema }),
  ...streamRoutes(kind, { part: "/$errors", stream: "$errors", noun: "Errors", schema: "ErrorSummary" }),
  ...streamRoutes(kind, { part: "/$logs", stream: "$logs", noun: "LogSummaries", schema: "LogSummary" }),
]);

/** The log records of a source or workflow, without the fields of events. */
export const logRoutes: readonly Route[] = emitterKinds.map((kind) =>
  tagged(kind.tag)(`GET ${kind.folder}/logs`, {
    name: `list${kind.infix}Logs`,
    summary: `List the log records of a ${kind.noun}, newest first`,
    description: "The records of `$logs/event_summaries`, complete and without the fields of events around them.",
    query: eventPageParameters,
    answer: pageOf("LogRecord", "A page of log records; cursors are event ids."),
    async handle({ runtime, params, query, select, hold }) {
      checkKind(kind, params.id);
      const page = await runtime.storedEvents(params.id, "$logs", {
        ...parseEventPage(query),
        onlyKnown: true,
        admit: hold.resize,
      });
      return textPageAnswer(page, eventCursor, ({ payload }) => select(new JsonText(payload)));
    },
  }),
);
