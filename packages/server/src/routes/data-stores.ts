import { XError } from "@x/runtime";

import { emptyAnswer, jsonAnswer } from "@x/http";
import { allOf, dataOf, viewDataStore } from "@x/resources";
import { defineRoute, type Route } from "../route.ts";
import { answerEntries, entriesAnswer, entriesQuery } from "./db-entries.ts";
import { keyParameter as key } from "./parameters.ts";

const tag = "Data";

/** The data stores of a user. One that has no key does not exist. */
export const dataStoreRoutes: readonly Route[] = [
  defineRoute({
    name: "listDataStores",
    tag,
    method: "GET",
    path: "/users/me/data_stores",
    summary: "List all data stores by name",
    answer: { status: 200, description: "All data stores that have keys, without pages.", schema: allOf("DataStore") },
    async handle({ runtime, select }) {
      const found = await runtime.dataStores();
      return jsonAnswer(200, { data: found.map((each) => select(viewDataStore(each))) });
    },
  }),
  defineRoute({
    name: "listDataStoreValues",
    tag,
    method: "GET",
    path: "/data_stores/:name/values",
    summary: "List the values of a data store by key",
    query: entriesQuery,
    answer: entriesAnswer,
    async handle({ runtime, params, query, select }) {
      const entries = await runtime.dataStoreEntries(params.name);
      if (entries.length === 0) throw new XError("not_found", ["data store", params.name]);
      return answerEntries(entries, query, select);
    },
  }),
  defineRoute({
    name: "readDataStoreValue",
    tag,
    method: "GET",
    path: "/data_stores/:name/values/:key",
    params: { key },
    summary: "Read a value of a data store",
    answer: { status: 200, description: "The value.", schema: dataOf("DbValue") },
    async handle({ runtime, params, resource }) {
      const value = await runtime.dataStoreValue(params.name, params.key);
      if (value === undefined) throw new XError("not_found", ["data store key", params.key]);
      return resource(200, { key: params.key, value });
    },
  }),
  defineRoute({
    name: "writeDataStoreValue",
    tag,
    method: "PUT",
    path: "/data_stores/:name/values/:key",
    params: { key },
    summary: "Write a value of a data store",
    description: "Sources read it from now on. A name that no data store has makes one.",
    body: { value: { description: "any JSON value" } },
    required: ["value"],
    bodyExample: { value: { page: 4 } },
    errors: ["db_value_too_large", "data_store_too_large"],
    answer: { status: 200, description: "The value.", schema: dataOf("DbValue") },
    async handle({ runtime, params, body: { value }, resource }) {
      await runtime.writeDataStore(params.name, [[params.key, value]]);
      return resource(200, { key: params.key, value });
    },
  }),
  defineRoute({
    name: "deleteDataStoreValue",
    tag,
    method: "DELETE",
    path: "/data_stores/:name/values/:key",
    params: { key },
    summary: "Delete a value of a data store",
    answer: { status: 204, description: "Deleted." },
    async handle({ runtime, params }) {
      await runtime.deleteDataStoreKey(params.name, params.key);
      return emptyAnswer;
    },
  }),
  defineRoute({
    name: "deleteDataStore",
    tag,
    method: "DELETE",
    path: "/data_stores/:name",
    summary: "Delete a data store with all its values",
    answer: { status: 204, description: "Deleted." },
    async handle({ runtime, params }) {
      await runtime.deleteDataStore(params.name);
      return emptyAnswer;
    },
  }),
];
