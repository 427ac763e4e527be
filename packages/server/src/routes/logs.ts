import { JsonText } from "../json-text.ts";
import { listOf } from "../openapi/shapes.ts";
import { eventCursor, textPageAnswer, type PageQuery, parseEventPage } from "../page.ts";
import { defineRoute, type Route } from "../route.ts";
import { checkKind, type EmitterKind, emitterKinds } from "../emitter-kind.ts";
import { eventPageParameters } from "./parameters.ts";

/** The log records of a source or workflow by themselves (G27, contract 3.7). */
export const logRoutes: readonly Route[] = emitterKinds.map((kind) =>
  defineRoute<`${EmitterKind["folder"]}/logs`, PageQuery>({
    name: `list${kind.infix}Logs`,
    tag: kind.tag,
    method: "GET",
    path: `${kind.folder}/logs`,
    summary: `List the log records of a ${kind.noun}, newest first`,
    description: "The same records as in `$logs/event_summaries`, complete and without what surrounds them there.",
    query: eventPageParameters,
    answer: { status: 200, description: "A page of log records; cursors are event ids.", schema: listOf("LogRecord") },
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
