import { type Json, XError } from "@x/runtime";

import { viewSource } from "@x/resources";
import { type Route, tagged } from "../route.ts";
import { nothing, one } from "../route-answer.ts";
import { answerEntries, entriesAnswer, entriesQuery } from "./db-entries.ts";
import { keyParameter as key } from "./parameters.ts";

const route = tagged("Data");

/** Workflows have a db too, but these routes are for sources only. */
function sourceId(id: string): string {
  if (id.startsWith("p_")) throw new XError("not_found", ["source", id]);
  return id;
}

/** The db of a source, and its dedupe state. */
export const dataRoutes: readonly Route[] = [
  route("POST /sources/:id/dedupe/reset", {
    name: "resetDedupe",
    summary: "Reset the dedupe state of a source",
    description: "Afterwards every id counts as new, on every channel. Stored events stay.",
    errors: ["busy"],
    answer: one("Source", "The source."),
    async handle({ runtime, params }) {
      await runtime.resetDedupe(params.id);
      return viewSource(await runtime.source(params.id));
    },
  }),
  route("GET /sources/:id/db", {
    name: "listDb",
    summary: "List the db of a source by key",
    query: entriesQuery,
    answer: entriesAnswer,
    async handle({ runtime, params, query, select }) {
      return answerEntries(await runtime.dbEntries(sourceId(params.id)), query, select);
    },
  }),
  route("GET /sources/:id/db/:key", {
    name: "readDbValue",
    params: { key },
    summary: "Read a value of the db of a source",
    answer: one("DbValue", "The value."),
    async handle({ runtime, params }) {
      const db = await runtime.db(sourceId(params.id));
      const value = await db.get<Json>(params.key);
      if (value === undefined) throw new XError("not_found", ["db value", params.key]);
      return { key: params.key, value };
    },
  }),
  route("PUT /sources/:id/db/:key", {
    name: "writeDbValue",
    params: { key },
    summary: "Write a value of the db of a source",
    description: "Written between two runs; the next run reads it.",
    body: { value: { description: "any JSON value" } },
    required: ["value"],
    bodyExample: { value: { page: 4 } },
    errors: ["db_value_too_large"],
    answer: one("DbValue", "The value."),
    async handle({ runtime, params, body: { value } }) {
      const db = await runtime.db(sourceId(params.id));
      await db.set(params.key, value);
      return { key: params.key, value };
    },
  }),
  route("DELETE /sources/:id/db/:key", {
    name: "deleteDbValue",
    params: { key },
    summary: "Delete a value of the db of a source",
    answer: nothing("Deleted."),
    async handle({ runtime, params }) {
      const db = await runtime.db(sourceId(params.id));
      if (!(await db.delete(params.key))) throw new XError("not_found", ["db value", params.key]);
    },
  }),
];
