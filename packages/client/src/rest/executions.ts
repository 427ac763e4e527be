// Written from the OpenAPI document by: vitest run test/client-types.test.ts -u

import type { Json } from "../basics.ts";
import type { LogRecord } from "./components.ts";

export interface ExecutionDetail {
  /** 27 characters; `execution_id` of its log records. */
  readonly execution_id: string;
  /** A source or workflow. */
  readonly source_id: string;
  /** `run`, or a hook. */
  readonly entry: "run" | "deploy" | "activate" | "deactivate";
  /** What started it. */
  readonly trigger: "timer" | "http" | "event" | "manual" | "hook" | "app";
  /** How it ended. */
  readonly status: "ok" | "error" | "timeout" | "out_of_memory";
  /** Of a hook whose change was undone: nothing that it emitted and wrote remains. */
  readonly undone?: true;
  /** The execution that it repeats. */
  readonly replay_of: string | null;
  /** What inside of the service led to it. */
  readonly cause: null | {
    /** The source or workflow that emitted the event, or sent the request. */
    readonly source_id: string;
    /** The event; null for a request. */
    readonly event_id: string | null;
    /** The execution that emitted it, if it was stored. */
    readonly execution_id?: string;
  };
  /** Epoch milliseconds. */
  readonly queued_at: number;
  /** Epoch milliseconds. */
  readonly started_at: number;
  /** Epoch milliseconds. */
  readonly ended_at: number;
  /** Wall time of the call. */
  readonly duration_ms: number;
  readonly phases: {
    /** From the acceptance of its trigger to its start. */
    readonly queued_ms: number;
    /** From the start to the end of the call, with its wait for a thread. */
    readonly sandbox_ms: number;
    /** Duration of its commit; null for executions before the last start of the service, and for old ones. */
    readonly commit_ms: number | null;
  };
  /** Time spent executing the component's code. */
  readonly compute_ms: number;
  /** Memory of the sandbox at the end. */
  readonly memory_bytes: number;
  /** Events that were stored. */
  readonly emitted_count: number;
  /** Events that the dedupe strategy dropped. */
  readonly deduped: number;
  /** Log records. */
  readonly log_count: number;
  /** Requests of the component. */
  readonly call_count: number;
  /** Keys of `$.service.db` that were set or deleted. */
  readonly db_change_count: number;
  /** Keys of data stores that were set or deleted. */
  readonly data_store_change_count: number;
  /** The event of an app that started it; absent for other runs. */
  readonly app_event?: {
    /** Slug of the app. */
    readonly app: string;
    /** Its names. */
    readonly names: readonly string[];
    /** The id that the service repeats. */
    readonly event_id: string | null;
  };
  /** The request of a client that started it; absent for other runs. */
  readonly http?: {
    /** Its method. */
    readonly method: string;
    /** Its path and query below the endpoint; the beginning of a long one. */
    readonly path: string;
    /** The status that was sent to the client. */
    readonly status: number;
  };
  /** The label of its first event. */
  readonly summary: string | null;
  /** The error that ended it. */
  readonly error: null | {
    /** For example `component_threw` or `sandbox_timeout`. */
    readonly code: string;
    /** Name of the thrown error. */
    readonly name: string;
    /** Its message. */
    readonly message: string;
    /** Where it was thrown, in the author's files. */
    readonly stack: string;
    /** What may help against it. */
    readonly hint?: string;
    /** The author's lines around that place. */
    readonly frame?: string;
  };
  /** The component and the props that it ran with; absent in records of former versions. */
  readonly ran_with?: {
    /** The component. */
    readonly component_id: string;
    /** SHA-256 of everything in its bundle, in hex. */
    readonly component_hash: string;
    /** Secret props are `{"$secret": NAME}`, app props have the id of their account; null when they are too large. */
    readonly configured_props: { readonly [name: string]: Json } | null;
  };
  /** The event that `run` received; null for hooks, and when it is left out. */
  readonly event: Json;
  /** Its size. */
  readonly event_bytes: number;
  /** The event is left out, because it is too large. */
  readonly event_truncated?: true;
  /** The event contained secrets, which are `***`. A replay needs another event. */
  readonly event_masked?: true;
  /** The request to an endpoint as it was received; absent for other triggers and for a replay. */
  readonly request?: {
    /** Its method. */
    readonly method: string;
    /** Path and query as the client sent them. */
    readonly target: string;
    /** Such as `1.1`; null where it is not known. */
    readonly http_version: string | null;
    /** Name and value of each header, in the order and case in which they were received. */
    readonly headers: readonly (readonly string[])[];
    /** The last headers are left out, because they are too large. */
    readonly headers_truncated?: true;
    /** Its text. */
    readonly body?: string;
    /** Instead of the text, for a body that is not UTF-8. */
    readonly body_base64?: string;
    /** Only its beginning is shown, or nothing. */
    readonly body_truncated?: true;
  };
  /** The events that were stored, in order. */
  readonly emitted: readonly {
    /** The event. */
    readonly id: string;
    /** Its channel. */
    readonly name: string;
    /** The label given to `$emit`. */
    readonly summary?: string;
    /** The id given to `$emit`. */
    readonly dedupe_id?: string;
    /** The time given to `$emit`. */
    readonly ts?: number;
    /** Any JSON value; null when it is left out. */
    readonly payload: Json;
    /** Its size. */
    readonly payload_bytes: number;
    /** It is left out, because it is too large. */
    readonly truncated?: true;
    /** Who gets the event. */
    readonly listeners: readonly {
      /** A source, workflow or webhook. */
      readonly id: string;
      readonly kind: "source" | "workflow" | "webhook";
      /** The delivery to a webhook. */
      readonly delivery_id?: string;
      /** The run of the source or workflow that the event triggers. */
      readonly execution_id?: string;
      /** Why it does not get the event. */
      readonly skipped?: "inactive" | "queue_full" | "hop_limit";
    }[];
    /** How many listeners are left out. */
    readonly listeners_omitted?: number;
  }[];
  /** The events that were not stored, in order. */
  readonly dropped: readonly {
    /** Its channel. */
    readonly name: string;
    /** The label given to `$emit`. */
    readonly summary?: string;
    /** The id given to `$emit`. */
    readonly dedupe_id?: string;
    /** The time given to `$emit`. */
    readonly ts?: number;
    /** `rolled_back`: the run failed and is transactional. The others are reasons of the dedupe strategy. */
    readonly reason: "duplicate" | "repeated_in_run" | "not_greater" | "not_after_last" | "invalid_id" | "rolled_back";
    /** The id that the channel remembered, under `greatest` and `last`. */
    readonly remembered?: string;
    /** Any JSON value; null when it is left out. */
    readonly payload: Json;
    /** Its size. */
    readonly payload_bytes: number;
    /** It is left out, because it is too large. */
    readonly truncated?: true;
  }[];
  /** The last log records. */
  readonly logs: readonly LogRecord[];
  /** The steps of a workflow that began, in order. */
  readonly steps: readonly {
    /** Its name. */
    readonly name: string;
    /** Milliseconds after the start of the execution. */
    readonly started_ms: number;
  }[];
  /** The requests of the component, in the order in which they began. */
  readonly calls: readonly {
    /** Its method. */
    readonly method: string;
    /** Its URL. */
    readonly url: string;
    /** Null without a response. */
    readonly status: number | null;
    /** Why there was no complete response. */
    readonly error?: string;
    /** Milliseconds after the start of the execution. */
    readonly started_ms: number;
    /** Null if it had not ended when the execution ended. */
    readonly duration_ms: number | null;
    /** Size of the body. */
    readonly request_bytes: number;
    /** Size of the body; null without a response. */
    readonly response_bytes: number | null;
    /** Values by lower-case name, a repeated one as a list; those with credentials are `***`. */
    readonly request_headers: { readonly [name: string]: Json };
    /** Values by lower-case name, a repeated one as a list; those with credentials are `***`. */
    readonly response_headers: { readonly [name: string]: Json };
    /** Its text. */
    readonly request_body?: string;
    /** Instead of the text, for a body that is not UTF-8. */
    readonly request_body_base64?: string;
    /** Only its beginning is shown, or nothing. */
    readonly request_body_truncated?: true;
    /** Its text. */
    readonly response_body?: string;
    /** Instead of the text, for a body that is not UTF-8. */
    readonly response_body_base64?: string;
    /** Only its beginning is shown, or nothing. */
    readonly response_body_truncated?: true;
  }[];
  /** Changes of `$.service.db`. */
  readonly db: readonly {
    /** The key. */
    readonly key: string;
    /** The value before; absent for a new key. */
    readonly before?: Json;
    /** The value after; absent for a deleted key. */
    readonly after?: Json;
    /** The values are left out, because they are too large. */
    readonly truncated?: true;
  }[];
  /** Changes of data stores. */
  readonly data_stores: readonly {
    /** The data store. */
    readonly name: string;
    /** The key. */
    readonly key: string;
    /** The value before; absent for a new key. */
    readonly before?: Json;
    /** The value after; absent for a deleted key. */
    readonly after?: Json;
    /** The values are left out, because they are too large. */
    readonly truncated?: true;
  }[];
  /** How many stored events are left out. */
  readonly emitted_omitted?: number;
  /** How many dropped events are left out. */
  readonly dropped_omitted?: number;
  /** How many log records are left out. */
  readonly logs_omitted?: number;
  /** How many steps are left out. */
  readonly steps_omitted?: number;
  /** How many requests are left out. */
  readonly calls_omitted?: number;
  /** How many changes are left out. */
  readonly db_omitted?: number;
  /** How many changes are left out. */
  readonly data_stores_omitted?: number;
  /** The answer of the component, for a run with an HTTP request. */
  readonly response: null | {
    /** HTTP status. */
    readonly status: number;
    /** Values by lower-case name, a repeated one as a list; those with credentials are `***`. */
    readonly headers: { readonly [name: string]: Json };
    /** Its text. */
    readonly body?: string;
    /** Instead of the text, for a body that is not UTF-8. */
    readonly body_base64?: string;
    /** Only its beginning is shown, or nothing. */
    readonly body_truncated?: true;
    /** Size of the body. */
    readonly body_bytes: number;
  };
  /** The return value and exports of an action, or of each step of a workflow by name; absent when too large. */
  readonly exports?: Json;
}
