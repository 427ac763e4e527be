// Written from the OpenAPI document by: vitest run test/client-types.test.ts -u

export interface AutoSubscription {
  /** Starts with `asub_`. */
  readonly id: string;
  /** As in a subscription. */
  readonly event_name: string;
  /** A source, workflow or webhook. */
  readonly listener_id: string;
  /** Epoch seconds. */
  readonly created_at: number;
}

export interface Subscription {
  /** Starts with `sub_`. */
  readonly id: string;
  /** A source or workflow, or `dc_*` or `p_*` for all of them. */
  readonly emitter_id: string;
  /** A source, workflow or webhook. */
  readonly listener_id: string;
  /** `$errors`, `$logs`, a channel; empty and `default` are the default stream. */
  readonly event_name: string;
}
