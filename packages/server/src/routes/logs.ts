import { jsonTextAnswer } from "@x/http";
import { checkEmitter } from "../emitter-kind.ts";
import { logParameters, parseLogTest } from "../log-filter.ts";
import { record, schemaRef, viewEvent } from "@x/resources";
import { parseLimit } from "../page.ts";
import { type Route, tagged } from "../route.ts";
import { stream } from "../route-answer.ts";
import type { Streams } from "../stream/streams.ts";
import { pageParameters } from "./parameters.ts";

const route = tagged("Events");

const listAll = route("GET /logs", {
  name: "listAllLogs",
  summary: "List the newest log records of all sources and workflows, newest first",
  description: [
    "The records of `$logs/event_summaries` of each source, in the order in which they were stored. There are no pages: older",
    "ones are in the list of their source. A search reads 16 MiB of records of 1,000 sources at most.",
  ].join("\n"),
  query: { limit: pageParameters.limit, ...logParameters },
  errors: ["not_found"],
  answer: {
    status: 200,
    description: "Log records.",
    schema: record({
      data: { type: "array", items: schemaRef("LogSummary") },
      complete: {
        type: "boolean",
        description: "False when the search ended at its bound, so that records may be missing.",
      },
    }),
  },
  async handle({ runtime, query, select, hold }) {
    const matches = parseLogTest(query);
    const { items, isWhole } = await runtime.newestEvents("$logs", {
      limit: parseLimit(query.limit),
      ...(query.source_id !== undefined && { sourceId: query.source_id }),
      ...(matches && { matches }),
      admit: hold.resize,
    });
    return jsonTextAnswer(200, { data: items.map((event) => select(viewEvent(event))), complete: isWhole });
  },
});

const streamAll = (streams: Pick<Streams, "openLogs">): Route =>
  route("GET /logs/stream", {
    name: "streamAllLogs",
    summary: "Stream the log records of all sources and workflows",
    description: [
      "Each record is an unnamed event with the expanded summary as one line of JSON in `data:`, from now on. A comment line comes",
      "every 15 seconds. Events have no `id:`, for those of several sources may be the same: a client that comes back reads",
      "`GET /logs` and leaves out those that it has, by `metadata.emitter_id` and `id`.",
    ].join("\n"),
    query: logParameters,
    errors: ["not_found"],
    answer: stream("Log records until one side closes the connection."),
    async handle({ runtime, apiKey, query, select, hold }) {
      const { source_id: sourceId } = query;
      if (sourceId !== undefined) await checkEmitter(runtime, sourceId);
      const matches = parseLogTest(query);
      return streams.openLogs({
        runtime,
        apiKey,
        ...(sourceId !== undefined && { sourceId }),
        ...(matches && { matches }),
        select,
        hold,
      });
    },
  });

/** The logs of all sources and workflows. */
export const allLogRoutes = (streams: Pick<Streams, "openLogs">): readonly Route[] => [listAll, streamAll(streams)];
