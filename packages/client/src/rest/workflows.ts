// Written from the OpenAPI document by: vitest run test/client-types.test.ts -u

import type { ComponentWarning } from "./components.ts";
import type { Json } from "../basics.ts";

export interface Workflow {
  /** Starts with `p_`. */
  readonly id: string;
  /** Its name. */
  readonly name: string;
  /** The name as a slug, by which configs and commands find it. */
  readonly name_slug: string;
  /** Whether the running service has registered it. */
  readonly active: boolean;
  /** Where requests trigger it, when they do. */
  readonly endpoint_url?: string;
  /** Epoch seconds. */
  readonly created_at: number;
  /** Epoch seconds. */
  readonly updated_at: number;
}

export interface WorkflowDetail {
  /** Starts with `p_`. */
  readonly id: string;
  /** Its name. */
  readonly name: string;
  /** The name as a slug, by which configs and commands find it. */
  readonly name_slug: string;
  /** Whether the running service has registered it. */
  readonly active: boolean;
  /** Where requests trigger it, when they do. */
  readonly endpoint_url?: string;
  /** Epoch seconds. */
  readonly created_at: number;
  /** Epoch seconds. */
  readonly updated_at: number;
  /** Names in order; empty when a function of the embedding process runs instead. */
  readonly steps: readonly string[];
  /** The name of the source that its trigger waits for, while there is none. */
  readonly awaited_source?: string;
  /** Declarations that have no effect, or not the expected one; absent when there are none. */
  readonly warnings?: readonly ComponentWarning[];
}

export interface WorkflowEventSummary {
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
  readonly event?: {
    /** Any JSON value. */
    readonly raw_event: Json;
  };
}
