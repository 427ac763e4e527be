// Written from the OpenAPI document by: vitest run test/client-types.test.ts -u

import type { ErrorSummary, EventSchema, EventSummary, LogSummary } from "./events.ts";
import type { EventStream, Json } from "../basics.ts";
import type { LogRecord } from "./components.ts";
import type { PageInfo } from "./envelope.ts";

export interface EventsRoutes {
  /** Read what the events of a source look like. */
  readonly "GET /sources/{id}/event_schema": {
    readonly path: { readonly id: string };
    readonly answer: {
      readonly data: EventSchema;
    };
  };
  /** List events of a source, newest first. */
  readonly "GET /sources/{id}/event_summaries": {
    readonly path: { readonly id: string };
    readonly query?: {
      /** An integer. */
      readonly limit?: number | undefined;
      /** An event id. */
      readonly after?: string | undefined;
      /** An event id. */
      readonly before?: string | undefined;
      /** "event" */
      readonly expand?: "event" | undefined;
      /** The name of a channel; default and empty are the default stream. */
      readonly name?: string | undefined;
      /** An event id; only events after it. */
      readonly since_id?: string | undefined;
      /** A JSON pointer into the event, an equals sign and a value, such as /status=open; searches 16 MiB of events at most. */
      readonly q?: string | undefined;
    } | undefined;
    readonly answer: {
      readonly page_info: PageInfo;
      readonly data: readonly EventSummary[];
    };
  };
  /** Delete events of a source, all or an inclusive range. */
  readonly "DELETE /sources/{id}/events": {
    readonly path: { readonly id: string };
    readonly query?: {
      /** An event id. */
      readonly start_id?: string | undefined;
      /** An event id. */
      readonly end_id?: string | undefined;
    } | undefined;
    readonly answer: { readonly [name: string]: never };
  };
  /** List $errors of a source, newest first. */
  readonly "GET /sources/{id}/$errors/event_summaries": {
    readonly path: { readonly id: string };
    readonly query?: {
      /** An integer. */
      readonly limit?: number | undefined;
      /** An event id. */
      readonly after?: string | undefined;
      /** An event id. */
      readonly before?: string | undefined;
      /** "event" */
      readonly expand?: "event" | undefined;
      /** The name of a channel; default and empty are the default stream. */
      readonly name?: string | undefined;
      /** An event id; only events after it. */
      readonly since_id?: string | undefined;
      /** A JSON pointer into the event, an equals sign and a value, such as /status=open; searches 16 MiB of events at most. */
      readonly q?: string | undefined;
    } | undefined;
    readonly answer: {
      readonly page_info: PageInfo;
      readonly data: readonly ErrorSummary[];
    };
  };
  /** Delete $errors of a source, all or an inclusive range. */
  readonly "DELETE /sources/{id}/$errors/events": {
    readonly path: { readonly id: string };
    readonly query?: {
      /** An event id. */
      readonly start_id?: string | undefined;
      /** An event id. */
      readonly end_id?: string | undefined;
    } | undefined;
    readonly answer: { readonly [name: string]: never };
  };
  /** List $logs of a source, newest first. */
  readonly "GET /sources/{id}/$logs/event_summaries": {
    readonly path: { readonly id: string };
    readonly query?: {
      /** An integer. */
      readonly limit?: number | undefined;
      /** An event id. */
      readonly after?: string | undefined;
      /** An event id. */
      readonly before?: string | undefined;
      /** "event" */
      readonly expand?: "event" | undefined;
      /** The name of a channel; default and empty are the default stream. */
      readonly name?: string | undefined;
      /** An event id; only events after it. */
      readonly since_id?: string | undefined;
      /** A JSON pointer into the event, an equals sign and a value, such as /status=open; searches 16 MiB of events at most. */
      readonly q?: string | undefined;
    } | undefined;
    readonly answer: {
      readonly page_info: PageInfo;
      readonly data: readonly LogSummary[];
    };
  };
  /** Delete $logs of a source, all or an inclusive range. */
  readonly "DELETE /sources/{id}/$logs/events": {
    readonly path: { readonly id: string };
    readonly query?: {
      /** An event id. */
      readonly start_id?: string | undefined;
      /** An event id. */
      readonly end_id?: string | undefined;
    } | undefined;
    readonly answer: { readonly [name: string]: never };
  };
  /** Read the AsyncAPI 3.0 description of the user's streams and webhooks. */
  readonly "GET /asyncapi.json": {
    readonly answer: { readonly [name: string]: Json };
  };
  /** List the log records of a source, newest first. */
  readonly "GET /sources/{id}/logs": {
    readonly path: { readonly id: string };
    readonly query?: {
      /** An integer. */
      readonly limit?: number | undefined;
      /** An event id. */
      readonly after?: string | undefined;
      /** An event id. */
      readonly before?: string | undefined;
    } | undefined;
    readonly answer: {
      readonly page_info: PageInfo;
      readonly data: readonly LogRecord[];
    };
  };
  /** List the newest log records of all sources and workflows, newest first. */
  readonly "GET /logs": {
    readonly query?: {
      /** An integer. */
      readonly limit?: number | undefined;
      /** The id of a source or workflow; default: all. */
      readonly source_id?: string | undefined;
      /** "debug", "info", "warn" or "error": only records of this level or a higher one. */
      readonly level?: "debug" | "info" | "warn" | "error" | undefined;
      /** Words that a record has in its text, its error or its execution id, in any case. */
      readonly q?: string | undefined;
    } | undefined;
    readonly answer: {
      readonly data: readonly LogSummary[];
      /** False when the search ended at its bound, so that records may be missing. */
      readonly complete: boolean;
    };
  };
  /** Stream the log records of all sources and workflows. */
  readonly "GET /logs/stream": {
    readonly query?: {
      /** The id of a source or workflow; default: all. */
      readonly source_id?: string | undefined;
      /** "debug", "info", "warn" or "error": only records of this level or a higher one. */
      readonly level?: "debug" | "info" | "warn" | "error" | undefined;
      /** Words that a record has in its text, its error or its execution id, in any case. */
      readonly q?: string | undefined;
    } | undefined;
    readonly answer: EventStream;
  };
  /** Stream the events of a source. */
  readonly "GET /sources/{id}/sse": {
    readonly path: { readonly id: string };
    readonly query?: {
      /** $errors, $logs or the name of a channel. */
      readonly stream?: string | undefined;
      /** "all": the events of every channel, whatever stream says. */
      readonly channels?: "all" | undefined;
      /** An event id. */
      readonly after?: string | undefined;
      /** An integer from 1 to 100. */
      readonly replay?: number | undefined;
    } | undefined;
    readonly headers?: {
      /** An event id; takes precedence over after. */
      readonly "Last-Event-ID"?: string | undefined;
    } | undefined;
    readonly answer: EventStream;
  };
}
