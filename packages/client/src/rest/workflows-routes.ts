// Written from the OpenAPI document by: vitest run test/client-types.test.ts -u

import type { ErrorSummary, LogSummary } from "./events.ts";
import type { EventStream } from "../basics.ts";
import type { LogRecord } from "./components.ts";
import type { PageInfo } from "./envelope.ts";
import type { Workflow, WorkflowDetail, WorkflowEventSummary } from "./workflows.ts";

export interface WorkflowsRoutes {
  /** List events of a workflow, newest first. */
  readonly "GET /workflows/{id}/event_summaries": {
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
      readonly data: readonly WorkflowEventSummary[];
    };
  };
  /** Delete events of a workflow, all or an inclusive range. */
  readonly "DELETE /workflows/{id}/events": {
    readonly path: { readonly id: string };
    readonly query?: {
      /** An event id. */
      readonly start_id?: string | undefined;
      /** An event id. */
      readonly end_id?: string | undefined;
    } | undefined;
    readonly answer: { readonly [name: string]: never };
  };
  /** List $errors of a workflow, newest first. */
  readonly "GET /workflows/{id}/$errors/event_summaries": {
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
  /** Delete $errors of a workflow, all or an inclusive range. */
  readonly "DELETE /workflows/{id}/$errors/events": {
    readonly path: { readonly id: string };
    readonly query?: {
      /** An event id. */
      readonly start_id?: string | undefined;
      /** An event id. */
      readonly end_id?: string | undefined;
    } | undefined;
    readonly answer: { readonly [name: string]: never };
  };
  /** List $logs of a workflow, newest first. */
  readonly "GET /workflows/{id}/$logs/event_summaries": {
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
  /** Delete $logs of a workflow, all or an inclusive range. */
  readonly "DELETE /workflows/{id}/$logs/events": {
    readonly path: { readonly id: string };
    readonly query?: {
      /** An event id. */
      readonly start_id?: string | undefined;
      /** An event id. */
      readonly end_id?: string | undefined;
    } | undefined;
    readonly answer: { readonly [name: string]: never };
  };
  /** List workflows, newest first. */
  readonly "GET /users/me/workflows": {
    readonly query?: {
      /** An integer. */
      readonly limit?: number | undefined;
      /** A cursor from page_info. */
      readonly after?: string | undefined;
      /** A cursor from page_info. */
      readonly before?: string | undefined;
      /** Words; each is in the name or the slug, or begins the id, in any case. */
      readonly q?: string | undefined;
      /** At most 100 ids, separated by commas; not with q, status or app. */
      readonly ids?: string | undefined;
    } | undefined;
    readonly answer: {
      readonly page_info: PageInfo;
      readonly data: readonly Workflow[];
    };
  };
  /** Read a workflow with the names of its steps. */
  readonly "GET /workflows/{id}": {
    readonly path: { readonly id: string };
    readonly answer: {
      readonly data: WorkflowDetail;
    };
  };
  /** List the log records of a workflow, newest first. */
  readonly "GET /workflows/{id}/logs": {
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
  /** Stream the events of a workflow. */
  readonly "GET /workflows/{id}/sse": {
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
