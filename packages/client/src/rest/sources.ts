// Written from the OpenAPI document by: vitest run test/client-types.test.ts -u

import type { ComponentWarning, LogRecord } from "./components.ts";
import type { Json } from "../basics.ts";

export interface Comparison {
  readonly changes: readonly SourceDifference[];
  /** Defaults of a new version that the source would not take (`stored-value-kept`); absent when there are none. */
  readonly warnings?: readonly ComponentWarning[];
}

export interface DeployComparison {
  /** Present after a deploy with `if_exists: update`. */
  readonly change: "created" | "updated" | "unchanged";
  /** The source with the name; null when it would be created. */
  readonly id: string | null;
  /** Its name in URLs. */
  readonly name_slug: string;
  readonly changes: readonly SourceDifference[];
  /** Defaults of a new version that the source would not take (`stored-value-kept`); absent when there are none. */
  readonly warnings?: readonly ComponentWarning[];
}

export interface Execution {
  /** 27 characters, sortable. */
  readonly execution_id: string;
  readonly status: "ok" | "error" | "timeout" | "out_of_memory" | "queued";
  /** How long it took. */
  readonly duration_ms?: number;
  readonly emitted?: readonly {
    /** Epoch milliseconds, a hyphen and a sequence number; grows with time. */
    readonly id: string;
    /** The label given to `$emit`. */
    readonly summary?: string;
  }[];
  /** Events that the dedupe strategy held back. */
  readonly deduped?: number;
  /** The answer of the component, for a run with an HTTP request. */
  readonly response?: null | {
    /** HTTP status. */
    readonly status: number;
    readonly headers: { readonly [name: string]: Json };
    /** As text; the first 4 MiB. */
    readonly body: string;
  };
  /** The return value and exports of an action, or of each step of a workflow by name; absent for sources. */
  readonly exports?: Json;
  readonly logs?: readonly LogRecord[];
  readonly error?: null | {
    /** For example `component_threw` or `sandbox_timeout`. */
    readonly code: string;
    /** Name of the thrown error. */
    readonly name: string;
    /** Its message. */
    readonly message: string;
    /** Where it was thrown. */
    readonly stack: string;
    /** What may help against it. */
    readonly hint?: string;
  };
}

export interface ExecutionSummary {
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
    /** Its name. */
    readonly name: string;
    /** The beginning of its message. */
    readonly message: string;
    /** Its code. */
    readonly code: string;
  };
}

export interface NewSource {
  /** Starts with `dc_`. */
  readonly id: string;
  /** The saved component it was made from. */
  readonly component_id: string;
  /** Values by prop name. A timer shows `{cron, interval_seconds}`, an HTTP interface `{endpoint_url}`, a secret `{__secret: true}`. */
  readonly configured_props: { readonly [name: string]: Json };
  /** Whether timers and endpoints run it. */
  readonly active: boolean;
  /** Epoch seconds. */
  readonly created_at: number;
  /** Epoch seconds. */
  readonly updated_at: number;
  /** Its name. */
  readonly name: string;
  /** Its name as a slug, unique in the account. */
  readonly name_slug: string;
  /** The exact npm packages in its bundle, with their dependencies; absent when there are none. */
  readonly packages?: readonly {
    /** Its name in the registry. */
    readonly name: string;
    /** The exact version, which stays over later updates. */
    readonly version: string;
    /** Integrity of its archive; null for a package inside another one, and for one of the author's own folder. */
    readonly integrity: string | null;
    /** How the code names it; absent for what only packages need. */
    readonly requested?: string;
    /** The reason for the version of a package that the code imports. */
    readonly from?: "import" | "package.json" | "latest" | "node_modules";
    /** The version, range or tag that was asked for; absent when nothing was. */
    readonly range?: string;
    /** Path of the package.json that has the range, relative to the component's root. */
    readonly manifest?: string;
  }[];
  /** Declarations that have no effect, or not the expected one; absent when there are none. */
  readonly warnings?: readonly ComponentWarning[];
  /** Its owner. */
  readonly user_id: string;
  /** Present after a deploy with `webhook_url`. */
  readonly webhook?: {
    /** Starts with `wh_`. */
    readonly id: string;
    /** Gets what the source emits. */
    readonly url: string;
    /** When it is new. */
    readonly signing_key?: string;
  };
  /** Present after a deploy with `if_exists: update`. */
  readonly change?: "created" | "updated" | "unchanged";
}

export interface Source {
  /** Starts with `dc_`. */
  readonly id: string;
  /** The saved component it was made from. */
  readonly component_id: string;
  /** Values by prop name. A timer shows `{cron, interval_seconds}`, an HTTP interface `{endpoint_url}`, a secret `{__secret: true}`. */
  readonly configured_props: { readonly [name: string]: Json };
  /** Whether timers and endpoints run it. */
  readonly active: boolean;
  /** Epoch seconds. */
  readonly created_at: number;
  /** Epoch seconds. */
  readonly updated_at: number;
  /** Its name. */
  readonly name: string;
  /** Its name as a slug, unique in the account. */
  readonly name_slug: string;
  /** The exact npm packages in its bundle, with their dependencies; absent when there are none. */
  readonly packages?: readonly {
    /** Its name in the registry. */
    readonly name: string;
    /** The exact version, which stays over later updates. */
    readonly version: string;
    /** Integrity of its archive; null for a package inside another one, and for one of the author's own folder. */
    readonly integrity: string | null;
    /** How the code names it; absent for what only packages need. */
    readonly requested?: string;
    /** The reason for the version of a package that the code imports. */
    readonly from?: "import" | "package.json" | "latest" | "node_modules";
    /** The version, range or tag that was asked for; absent when nothing was. */
    readonly range?: string;
    /** Path of the package.json that has the range, relative to the component's root. */
    readonly manifest?: string;
  }[];
  /** Declarations that have no effect, or not the expected one; absent when there are none. */
  readonly warnings?: readonly ComponentWarning[];
  /** With `expand=state`: what it does now, and did in the last day. */
  readonly state?: {
    /** Epoch milliseconds; null without a timer, or paused. */
    readonly next_tick_at_ms: number | null;
    /** The next five ticks, epoch milliseconds. */
    readonly next_ticks_at_ms: readonly number[];
    /** Triggers that wait for their run. */
    readonly queue_depth: number;
    /** Whether its endpoints have another base URL than when `activate` last ended. */
    readonly endpoint_changed: boolean;
    /** The sum of `failures_per_hour`. */
    readonly failures_24h: number;
    /** Stored events of each of the last 24 hours (UTC), oldest first; the last hour is not over. */
    readonly events_per_hour: readonly number[];
    /** Records of `$errors` of each of the last 24 hours (UTC), oldest first; the last hour is not over. */
    readonly failures_per_hour: readonly number[];
    /** Its newest execution, hooks included; null when none is stored. */
    readonly last_execution: ExecutionSummary | null;
  };
}

export interface SourceDifference {
  /** `component`, `name`, `active`, `settings`, `props.<name>`, or `webhook`. */
  readonly field: string;
  /** As it is: for `component` its version. Absent when there is none. */
  readonly from?: Json;
  /** As it would be; a secret is `{__secret: true}`. */
  readonly to?: Json;
}
