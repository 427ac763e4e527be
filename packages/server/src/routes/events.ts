import { type EventId, formatEventId, type StreamKind, XError } from "@x/runtime";

import { jsonAnswer } from "../answer.ts";
import { eventCursor, pageBody, type PageQuery, parseEventIdParameter, parseLimit } from "../page.ts";
import { defineRoute, type Route } from "../route.ts";
import { viewEvent } from "../views.ts";
import { pageParameters } from "./parameters.ts";

interface EventsQuery extends PageQuery {
  readonly expand?: "" | "event";
  readonly name?: string;
}

interface RangeQuery {
  readonly start_id?: string;
  readonly end_id?: string;
}

const eventId = { type: "string", pattern: "^[0-9]{1,16}-[0-9]{1,15}$", description: "an event id" } as const;
const eventCursorParameter = { ...eventId, pattern: "^([0-9]{1,16}-[0-9]{1,15})?$" } as const;

const isReversed = (start: EventId, end: EventId): boolean =>
  start.ms > end.ms || (start.ms === end.ms && start.seq > end.seq);

function parseRange(query: RangeQuery): { start?: EventId; end?: EventId } {
  const start = parseEventIdParameter("start_id", query.start_id);
  const end = parseEventIdParameter("end_id", query.end_id);
  if (start && end && isReversed(start, end)) {
    const expected = `at most end_id ${formatEventId(end)}`;
    const problem = { in: "query", path: "/start_id", message: `must be ${expected}` };
    throw new XError("invalid_parameter", ["start_id", expected, formatEventId(start)], {
      details: { parameter: "start_id", errors: [problem] },
    });
  }
  return { ...(start && { start }), ...(end && { end }) };
}

type Folder = "/sources/:id" | "/sources/:id/$errors" | "/sources/:id/$logs";

function streamRoutes(folder: Folder, stream: StreamKind): Route[] {
  return [
    defineRoute<`${Folder}/event_summaries`, EventsQuery>({
      method: "GET",
      path: `${folder}/event_summaries`,
      summary: `List ${stream} of a source, newest first`,
      query: {
        limit: pageParameters.limit,
        after: eventCursorParameter,
        before: eventCursorParameter,
        expand: { type: "string", enum: ["", "event"], description: '"event"' },
        name: { type: "string", maxLength: 256, description: "the name of a channel" },
      },
      async handle({ runtime, userId, params, query, select }) {
        const after = parseEventIdParameter("after", query.after);
        const before = parseEventIdParameter("before", query.before);
        const { limit, name, expand } = query;
        const wanted = {
          limit: parseLimit(limit),
          ...(after && { after }),
          ...(before && { before }),
          ...(name !== undefined && { name }),
        };
        const page = await runtime.storedEvents(params.id, stream, wanted, userId);
        return jsonAnswer(
          200,
          pageBody(page, eventCursor, (event) => select(viewEvent(event, expand === "event"))),
        );
      },
    }),
    defineRoute<`${Folder}/events`, RangeQuery>({
      method: "DELETE",
      path: `${folder}/events`,
      summary: `Delete ${stream} of a source, all or an inclusive range`,
      query: { start_id: eventId, end_id: eventId },
      async handle({ runtime, userId, params, query }) {
        await runtime.deleteEvents(params.id, stream, parseRange(query), userId);
        return jsonAnswer(202, {});
      },
    }),
  ];
}

/** Stored events of sources (contract 3.5, S15). */
export const eventRoutes: readonly Route[] = [
  ...streamRoutes("/sources/:id", "emits"),
  ...streamRoutes("/sources/:id/$errors", "$errors"),
  ...streamRoutes("/sources/:id/$logs", "$logs"),
];
