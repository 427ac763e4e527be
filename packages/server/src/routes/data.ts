import { type Json, XError } from "@x/runtime";

import { emptyAnswer } from "@x/http";
import { dataOf, viewSource } from "@x/resources";
import { defineRoute, type Route } from "../route.ts";
import { answerEntries, entriesAnswer, entriesQuery } from "./db-entries.ts";
import { keyParameter as key } from "./parameters.ts";

/** Workflows have a db too, but these routes are for sources only. */
function sourceId(id: string): string {
  if (id.startsWith("p_")) throw new XError("not_found", ["source", id]);
  return id;
}

/** The db of a source, and its dedupe state. */
export const dataRoutes: readonly Route[] = [
  defineRoute({
    name: "resetDedupe",
    tag: "Data",
    method: "POST",
    path: "/sources/:id/dedupe/reset",
    summary: "Reset the dedupe state of a source",
    description: "Afterwards every id counts as new, on every channel. Stored events stay.",
    errors: ["busy"],
    answer: { status: 200, description: "The source.", schema: dataOf("Source") },
    async handle({ runtime, params, resource }) {
      await runtime.resetDedupe(params.id);
      return resource(200, viewSource(await runtime.source(params.id)));
    },
  }),
  defineRoute({
    name: "listDb",
    tag: "Data",
    method: "GET",
    path: "/sources/:id/db",
    summary: "List the db of a source by key",
    query: entriesQuery,
    answer: entriesAnswer,
    async handle({ runtime, params, query, select }) {
      return answerEntries(await runtime.dbEntries(sourceId(params.id)), query, select);
    },
  }),
  defineRoute({
    name: "readDbValue",
    tag: "Data",
    method: "GET",
    path: "/sources/:id/db/:key",
    params: { key },
    summary: "Read a value of the db of a source",
    answer: { status: 200, description: "The value.", schema: dataOf("DbValue") },
    async handle({ runtime, params, resource }) {
      const db = await runtime.db(sourceId(params.id));
      const value = await db.get<Json>(params.key);
      if (value === undefined) throw new XError("not_found", ["db value", params.key]);
      return resource(200, { key: params.key, value });
    },
  }),
  defineRoute({
    name: "writeDbValue",
    tag: "Data",
    method: "PUT",
    path: "/sources/:id/db/:key",
    params: { key },
    summary: "Write a value of the db of a source",
    description: "Written between two runs; the next run reads it.",
    body: { value: { description: "any JSON value" } },
    required: ["value"],
    bodyExample: { value: { page: 4 } },
    errors: ["db_value_too_large"],
    answer: { status: 200, description: "The value.", schema: dataOf("DbValue") },
    async handle({ runtime, params, body: { value }, resource }) {
      const db = await runtime.db(sourceId(params.id));
      await db.set(params.key, value);
      return resource(200, { key: params.key, value });
    },
  }),
  defineRoute({
    name: "deleteDbValue",
    tag: "Data",
    method: "DELETE",
    path: "/sources/:id/db/:key",
    params: { key },
    summary: "Delete a value of the db of a source",
    answer: { status: 204, description: "Deleted." },
    async handle({ runtime, params }) {
      const db = await runtime.db(sourceId(params.id));
      if (!(await db.delete(params.key))) throw new XError("not_found", ["db value", params.key]);
      return emptyAnswer;
    },
  }),
];
