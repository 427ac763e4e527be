// Written from the OpenAPI document by: vitest run test/client-types.test.ts -u

import type { DataStore, DbEntry, DbValue } from "./data.ts";
import type { Json } from "../basics.ts";
import type { PageInfo } from "./envelope.ts";
import type { Source } from "./sources.ts";

export interface DataRoutes {
  /** Reset the dedupe state of a source. */
  readonly "POST /sources/{id}/dedupe/reset": {
    readonly path: { readonly id: string };
    readonly answer: {
      readonly data: Source;
    };
  };
  /** List the db of a source by key. */
  readonly "GET /sources/{id}/db": {
    readonly path: { readonly id: string };
    readonly query?: {
      /** An integer. */
      readonly limit?: number | undefined;
      /** A cursor from page_info. */
      readonly after?: string | undefined;
      /** A cursor from page_info. */
      readonly before?: string | undefined;
      /** Words; each is in the key, in any case. */
      readonly q?: string | undefined;
    } | undefined;
    readonly answer: {
      readonly page_info: PageInfo;
      readonly data: readonly DbEntry[];
    };
  };
  /** Read a value of the db of a source. */
  readonly "GET /sources/{id}/db/{key}": {
    readonly path: { readonly id: string; readonly key: string };
    readonly answer: {
      readonly data: DbValue;
    };
  };
  /** Write a value of the db of a source. */
  readonly "PUT /sources/{id}/db/{key}": {
    readonly path: { readonly id: string; readonly key: string };
    readonly body: {
      /** Any JSON value. */
      readonly value: Json;
    };
    readonly answer: {
      readonly data: DbValue;
    };
  };
  /** Delete a value of the db of a source. */
  readonly "DELETE /sources/{id}/db/{key}": {
    readonly path: { readonly id: string; readonly key: string };
    readonly answer: undefined;
  };
  /** List all data stores by name. */
  readonly "GET /users/me/data_stores": {
    readonly query?: {
      /** Words; each is in the name, in any case. */
      readonly q?: string | undefined;
    } | undefined;
    readonly answer: {
      readonly data: readonly DataStore[];
    };
  };
  /** List the values of a data store by key. */
  readonly "GET /data_stores/{name}/values": {
    readonly path: { readonly name: string };
    readonly query?: {
      /** An integer. */
      readonly limit?: number | undefined;
      /** A cursor from page_info. */
      readonly after?: string | undefined;
      /** A cursor from page_info. */
      readonly before?: string | undefined;
      /** Words; each is in the key, in any case. */
      readonly q?: string | undefined;
    } | undefined;
    readonly answer: {
      readonly page_info: PageInfo;
      readonly data: readonly DbEntry[];
    };
  };
  /** Read a value of a data store. */
  readonly "GET /data_stores/{name}/values/{key}": {
    readonly path: { readonly name: string; readonly key: string };
    readonly answer: {
      readonly data: DbValue;
    };
  };
  /** Write a value of a data store. */
  readonly "PUT /data_stores/{name}/values/{key}": {
    readonly path: { readonly name: string; readonly key: string };
    readonly body: {
      /** Any JSON value. */
      readonly value: Json;
    };
    readonly answer: {
      readonly data: DbValue;
    };
  };
  /** Delete a value of a data store. */
  readonly "DELETE /data_stores/{name}/values/{key}": {
    readonly path: { readonly name: string; readonly key: string };
    readonly answer: undefined;
  };
  /** Delete a data store with all its values. */
  readonly "DELETE /data_stores/{name}": {
    readonly path: { readonly name: string };
    readonly answer: undefined;
  };
}
