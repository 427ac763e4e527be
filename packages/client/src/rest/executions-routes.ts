// Written from the OpenAPI document by: vitest run test/client-types.test.ts -u

import type { EventStream, Json } from "../basics.ts";
import type { Execution, ExecutionSummary } from "./sources.ts";
import type { ExecutionDetail } from "./executions.ts";
import type { PageInfo } from "./envelope.ts";

export interface ExecutionsRoutes {
  /** List the executions of a source, newest first. */
  readonly "GET /sources/{id}/executions": {
    readonly path: { readonly id: string };
    readonly query?: {
      /** An integer. */
      readonly limit?: number | undefined;
      /** An execution id. */
      readonly after?: string | undefined;
      /** An execution id. */
      readonly before?: string | undefined;
      /** "ok", "error", "timeout", "out_of_memory" or "failed", which is any but "ok" */
      readonly status?: "ok" | "error" | "timeout" | "out_of_memory" | "failed" | undefined;
      /** Epoch milliseconds; only executions that ended then or later. */
      readonly since?: number | undefined;
      /** A text; only executions whose record has it: their id, event, emitted events, error, logs or requests; letters of ASCII match in either case. */
      readonly q?: string | undefined;
      /** "timer", "http", "event", "manual" or "hook" */
      readonly trigger?: "timer" | "http" | "event" | "manual" | "hook" | "app" | undefined;
      /** Milliseconds; only executions that took at least so long. */
      readonly min_ms?: number | undefined;
      /** "emitted", "none" or "dropped": only executions that emitted events, none, or whose events were dropped. */
      readonly events?: "emitted" | "none" | "dropped" | undefined;
    } | undefined;
    readonly answer: {
      readonly page_info: PageInfo;
      readonly data: readonly ExecutionSummary[];
    };
  };
  /** List the executions of a workflow, newest first. */
  readonly "GET /workflows/{id}/executions": {
    readonly path: { readonly id: string };
    readonly query?: {
      /** An integer. */
      readonly limit?: number | undefined;
      /** An execution id. */
      readonly after?: string | undefined;
      /** An execution id. */
      readonly before?: string | undefined;
      /** "ok", "error", "timeout", "out_of_memory" or "failed", which is any but "ok" */
      readonly status?: "ok" | "error" | "timeout" | "out_of_memory" | "failed" | undefined;
      /** Epoch milliseconds; only executions that ended then or later. */
      readonly since?: number | undefined;
      /** A text; only executions whose record has it: their id, event, emitted events, error, logs or requests; letters of ASCII match in either case. */
      readonly q?: string | undefined;
      /** "timer", "http", "event", "manual" or "hook" */
      readonly trigger?: "timer" | "http" | "event" | "manual" | "hook" | "app" | undefined;
      /** Milliseconds; only executions that took at least so long. */
      readonly min_ms?: number | undefined;
      /** "emitted", "none" or "dropped": only executions that emitted events, none, or whose events were dropped. */
      readonly events?: "emitted" | "none" | "dropped" | undefined;
    } | undefined;
    readonly answer: {
      readonly page_info: PageInfo;
      readonly data: readonly ExecutionSummary[];
    };
  };
  /** List the executions of all sources and workflows, newest first. */
  readonly "GET /executions": {
    readonly query?: {
      /** An integer. */
      readonly limit?: number | undefined;
      /** An execution id. */
      readonly after?: string | undefined;
      /** An execution id. */
      readonly before?: string | undefined;
      /** "ok", "error", "timeout", "out_of_memory" or "failed", which is any but "ok" */
      readonly status?: "ok" | "error" | "timeout" | "out_of_memory" | "failed" | undefined;
      /** Epoch milliseconds; only executions that ended then or later. */
      readonly since?: number | undefined;
      /** A text; only executions whose record has it: their id, event, emitted events, error, logs or requests; letters of ASCII match in either case. */
      readonly q?: string | undefined;
      /** "timer", "http", "event", "manual" or "hook" */
      readonly trigger?: "timer" | "http" | "event" | "manual" | "hook" | "app" | undefined;
      /** Milliseconds; only executions that took at least so long. */
      readonly min_ms?: number | undefined;
      /** "emitted", "none" or "dropped": only executions that emitted events, none, or whose events were dropped. */
      readonly events?: "emitted" | "none" | "dropped" | undefined;
    } | undefined;
    readonly answer: {
      readonly page_info: PageInfo;
      readonly data: readonly ExecutionSummary[];
    };
  };
  /** Stream the executions of all sources and workflows. */
  readonly "GET /executions/stream": {
    readonly query?: {
      /** The id of a source or workflow; default: all. */
      readonly source_id?: string | undefined;
      /** An execution id. */
      readonly after?: string | undefined;
    } | undefined;
    readonly headers?: {
      /** An execution id; takes precedence over after. */
      readonly "Last-Event-ID"?: string | undefined;
    } | undefined;
    readonly answer: EventStream;
  };
  /** Read an execution with everything that it received and did. */
  readonly "GET /executions/{id}": {
    readonly path: { readonly id: string };
    readonly answer: {
      readonly data: ExecutionDetail;
    };
  };
  /** Make a test out of a run. */
  readonly "GET /executions/{id}/test": {
    readonly path: { readonly id: string };
    readonly query?: {
      /** What the test imports the component from, such as `./orders.js`. */
      readonly component?: string | undefined;
    } | undefined;
    readonly answer: string;
  };
  /** Run an execution again. */
  readonly "POST /executions/{id}/replay": {
    readonly path: { readonly id: string };
    readonly body?: {
      /** Any JSON value. */
      readonly event?: Json | undefined;
      /** True or false. */
      readonly wait?: boolean | undefined;
    } | undefined;
    readonly answer: {
      readonly data: Execution;
    };
  };
}
