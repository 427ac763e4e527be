import type { PropShape } from "../props-form/prop-shape.ts";

/** A source as the REST interface shows it; lists may leave fields out. */
export interface Source {
  readonly id: string;
  readonly component_id: string;
  readonly name: string;
  readonly name_slug: string;
  readonly active: boolean;
  /** Epoch seconds. */
  readonly created_at: number;
  readonly updated_at: number;
  readonly configured_props: { readonly [prop: string]: unknown };
  readonly packages?: readonly { readonly name: string; readonly version: string; readonly requested?: string }[];
  readonly warnings?: readonly { readonly rule: string; readonly path: string; readonly message: string }[];
  /** With `expand=state`. */
  readonly state?: SourceState;
}

/** A component as the REST interface shows it. */
export interface Component {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly version: string;
  readonly key: string | null;
  readonly configurable_props: readonly PropShape[];
  readonly component_url: string | null;
}

/** What a source does now, and did in the last day. */
export interface SourceState {
  /** Epoch ms. */
  readonly next_tick_at_ms: number | null;
  readonly queue_depth: number;
  readonly failures_24h: number;
  /** 24 counts, oldest first; the last one is the current hour. */
  readonly events_per_hour: readonly number[];
  readonly failures_per_hour: readonly number[];
  /** Absent where executions are not stored. */
  readonly last_execution?: ExecutionSummary | null;
}

/** One run of a source, in short. Times are epoch ms. */
export interface ExecutionSummary {
  readonly execution_id: string;
  readonly source_id: string;
  readonly entry: "run" | "deploy" | "activate" | "deactivate";
  readonly trigger: "timer" | "http" | "event" | "manual" | "hook";
  readonly status: string;
  readonly replay_of: string | null;
  readonly queued_at: number;
  readonly started_at: number;
  readonly ended_at: number;
  readonly duration_ms: number;
  readonly compute_ms: number;
  readonly memory_bytes: number;
  readonly emitted_count: number;
  readonly deduped: number;
  readonly log_count: number;
  readonly call_count: number;
  readonly db_change_count: number;
  readonly summary: string | null;
  readonly error: { readonly name: string; readonly message: string; readonly code?: string } | null;
}

/** The answer of a run by hand. */
export interface RunAnswer {
  readonly execution_id: string;
  readonly status: string;
  readonly duration_ms?: number;
  readonly emitted?: readonly unknown[];
  readonly deduped?: number;
  readonly error?: { readonly name?: string; readonly message?: string } | null;
}

/** A stored event, error or log record. */
export interface StoredEvent {
  readonly id: string;
  readonly indexed_at_ms: number;
  readonly event?: unknown;
  readonly event_truncated?: true;
  readonly event_bytes?: number;
  readonly metadata: {
    readonly emit_id: string;
    readonly name: string;
    readonly emitter_id: string;
    readonly id?: string;
    readonly summary?: string;
    readonly ts?: number;
  };
}

/** `{data: …}`, as single resources come. */
export interface DataOf<T> {
  readonly data: T;
}
