// Written from the OpenAPI document by: vitest run test/client-types.test.ts -u

import type { Json } from "../basics.ts";
import type { LogRecord } from "./components.ts";

export interface ErrorRecord {
  /** Any JSON value. */
  readonly original_event: Json;
  readonly original_context: {
    /** The execution. */
    readonly id: string;
    /** When its trigger was accepted. */
    readonly ts: string;
    /** The source or workflow. */
    readonly workflow_id: string;
    /** Starts with `d_`. */
    readonly deployment_id: string;
    readonly source_type: "TIMER" | "HTTP" | "MANUAL" | "SUBSCRIPTION" | "HOOK" | "APP";
    readonly verified: boolean;
    /** Starts with `u_`. */
    readonly owner_id: string;
    /** Version of the runtime. */
    readonly platform_version: string;
  };
  readonly error: {
    /** Name of the error. */
    readonly code: string;
    /** `c_run`, `c_deploy`, …; of a workflow `c_` and the name of the step. */
    readonly cellId: string;
    /** Its message. */
    readonly msg: string;
    readonly ts: string;
    /** Where it was thrown, in the author's files. */
    readonly stack: string;
    /** What may help against it. */
    readonly hint?: string;
  };
}

export interface ErrorSummary {
  /** Epoch milliseconds, a hyphen and a sequence number; grows with time. */
  readonly id: string;
  /** When it was stored, epoch milliseconds. */
  readonly indexed_at_ms: number;
  /** The event is omitted: it is larger than 1 KB. */
  readonly event_truncated?: true;
  /** Its size in bytes, when it is left out. */
  readonly event_bytes?: number;
  readonly metadata: {
    /** Sortable id of the emit. */
    readonly emit_id: string;
    /** The channel; empty for the default one, `$errors` and `$logs` for records of those streams. */
    readonly name: string;
    /** The source or workflow. */
    readonly emitter_id: string;
    /** The id that the component gave, as text. */
    readonly id?: string;
    /** The label that the component gave. */
    readonly summary?: string;
    /** The time that the component gave, epoch milliseconds. */
    readonly ts?: number;
  };
  readonly event?: ErrorRecord;
}

export interface EventSchema {
  /** JSON Schema, draft 7; `{}` when nothing is known. */
  readonly schema: { readonly [name: string]: Json };
  /** `emits`: the component declares it; `sampleEmit`: inferred from its example; `events`: from stored events. */
  readonly from: "emits" | "sampleEmit" | "events";
  /** How many stored events it is inferred from. */
  readonly events: number;
}

export interface EventSummary {
  /** Epoch milliseconds, a hyphen and a sequence number; grows with time. */
  readonly id: string;
  /** When it was stored, epoch milliseconds. */
  readonly indexed_at_ms: number;
  /** The event is omitted: it is larger than 1 KB. */
  readonly event_truncated?: true;
  /** Its size in bytes, when it is left out. */
  readonly event_bytes?: number;
  readonly metadata: {
    /** Sortable id of the emit. */
    readonly emit_id: string;
    /** The channel; empty for the default one, `$errors` and `$logs` for records of those streams. */
    readonly name: string;
    /** The source or workflow. */
    readonly emitter_id: string;
    /** The id that the component gave, as text. */
    readonly id?: string;
    /** The label that the component gave. */
    readonly summary?: string;
    /** The time that the component gave, epoch milliseconds. */
    readonly ts?: number;
  };
  /** Any JSON value. */
  readonly event?: Json;
}

export interface LogSummary {
  /** Epoch milliseconds, a hyphen and a sequence number; grows with time. */
  readonly id: string;
  /** When it was stored, epoch milliseconds. */
  readonly indexed_at_ms: number;
  /** The event is omitted: it is larger than 1 KB. */
  readonly event_truncated?: true;
  /** Its size in bytes, when it is left out. */
  readonly event_bytes?: number;
  readonly metadata: {
    /** Sortable id of the emit. */
    readonly emit_id: string;
    /** The channel; empty for the default one, `$errors` and `$logs` for records of those streams. */
    readonly name: string;
    /** The source or workflow. */
    readonly emitter_id: string;
    /** The id that the component gave, as text. */
    readonly id?: string;
    /** The label that the component gave. */
    readonly summary?: string;
    /** The time that the component gave, epoch milliseconds. */
    readonly ts?: number;
  };
  readonly event?: LogRecord;
}
