import { XError } from "@x/runtime";

import { viewDataStore } from "@x/resources";
import { type Route, tagged } from "../route.ts";
import { all, nothing, one } from "../route-answer.ts";
import { searchIn, searchItems } from "../list-search.ts";
import { answerEntries, entriesAnswer, entriesQuery } from "./db-entries.ts";
import { keyParameter as key } from "./parameters.ts";

const route = tagged("Data");

/** The data stores of a user. One that has no key does not exist. */
export const dataStoreRoutes: readonly Route[] = [
  route("GET /users/me/data_stores", {
    name: "listDataStores",
    summary: "List all data stores by name",
    answer: all("DataStore", "All data stores that have keys, without pages."),
    query: searchIn("the name"),
    async handle({ runtime, query }) {
      const found = await searchItems(await runtime.dataStores(), query, ({ name }) => [name]);
      return found.map(viewDataStore);
    },
  }),
  route("GET /data_stores/:name/values", {
    name: "listDataStoreValues",
    summary: "List the values of a data store by key",
    query: entriesQuery,
    answer: entriesAnswer,
    async handle({ runtime, params, query, select }) {
      const entries = await runtime.dataStoreEntries(params.name);
      if (entries.length === 0) throw new XError("not_found", ["data store", params.name]);
      return answerEntries(entries, query, select);
    },
  }),
  route("GET /data_stores/:name/values/:key", {
    name: "readDataStoreValue",
    params: { key },
    summary: "Read a value of a data store",
    answer: one("DbValue", "The value."),
    async handle({ runtime, params }) {
      const value = await runtime.dataStoreValue(params.name, params.key);
      if (value === undefined) throw new XError("not_found", ["data store key", params.key]);
      return { key: params.key, value };
    },
  }),
  route("PUT /data_stores/:name/values/:key", {
    name: "writeDataStoreValue",
    params: { key },
    summary: "Write a value of a data store",
    description: "Sources read it from now on. A name that no data store has makes one.",
    body: { value: { description: "any JSON value" } },
    required: ["value"],
    bodyExample: { value: { page: 4 } },
    errors: ["db_value_too_large", "data_store_too_large"],
    answer: one("DbValue", "The value."),
    async handle({ runtime, params, body: { value } }) {
      await runtime.writeDataStore(params.name, [[params.key, value]]);
      return { key: params.key, value };
    },
  }),
  route("DELETE /data_stores/:name/values/:key", {
    name: "deleteDataStoreValue",
    params: { key },
    summary: "Delete a value of a data store",
    answer: nothing("Deleted."),
    handle: ({ runtime, params }) => runtime.deleteDataStoreKey(params.name, params.key),
  }),
  route("DELETE /data_stores/:name", {
    name: "deleteDataStore",
    summary: "Delete a data store with all its values",
    answer: nothing("Deleted."),
    handle: ({ runtime, params }) => runtime.deleteDataStore(params.name),
  }),
];
