// Written from the OpenAPI document by: vitest run test/client-types.test.ts -u

import type { Json } from "../basics.ts";

export interface Delivery {
  /** Starts with `dlv_`. */
  readonly id: string;
  /** Where it goes. */
  readonly webhook_id: string;
  /** Which event it is. */
  readonly event_id: string;
  /** Who emitted it. */
  readonly emitter_id: string;
  /** `$errors`, `$logs`, a channel, or empty for the default stream. */
  readonly event_name: string;
  readonly status: "pending" | "delivered" | "dead";
  /** Oldest first. */
  readonly attempts: readonly {
    /** Epoch seconds. */
    readonly at: number;
    /** Null when there was no answer. */
    readonly http_status: number | null;
    /** Null when it succeeded. */
    readonly error: string | null;
    readonly duration_ms: number;
  }[];
  /** Epoch seconds; null when none follows. */
  readonly next_attempt_at: number | null;
  /** Epoch seconds. */
  readonly created_at: number;
}

export interface DeliveryDetail {
  /** Starts with `dlv_`. */
  readonly id: string;
  /** Where it goes. */
  readonly webhook_id: string;
  /** Which event it is. */
  readonly event_id: string;
  /** Who emitted it. */
  readonly emitter_id: string;
  /** `$errors`, `$logs`, a channel, or empty for the default stream. */
  readonly event_name: string;
  readonly status: "pending" | "delivered" | "dead";
  /** Oldest first. */
  readonly attempts: readonly {
    /** Epoch seconds. */
    readonly at: number;
    /** Null when there was no answer. */
    readonly http_status: number | null;
    /** Null when it succeeded. */
    readonly error: string | null;
    readonly duration_ms: number;
    /** What the receiver answered; null without an answer, and for older attempts beyond 8 KiB in all. */
    readonly response: {
      /** Those that say something about the attempt, in lower case. */
      readonly headers: { readonly [name: string]: Json };
      /** The beginning of its body. */
      readonly body?: string;
      /** Instead of the text, for a body that is not UTF-8. */
      readonly body_base64?: string;
      /** The body is longer. */
      readonly body_truncated?: true;
      /** Size of the body, as far as it was read. */
      readonly body_bytes: number;
    } | null;
  }[];
  /** Epoch seconds; null when none follows. */
  readonly next_attempt_at: number | null;
  /** Epoch seconds. */
  readonly created_at: number;
  /** The event, any JSON value. */
  readonly event: Json;
}

export interface NewWebhook {
  /** Starts with `wh_`. */
  readonly id: string;
  /** Null when none was given. */
  readonly name: string | null;
  /** Null when none was given. */
  readonly description: string | null;
  /** Where events are posted. */
  readonly url: string;
  /** Whether it receives events. */
  readonly active: boolean;
  /** Epoch seconds. */
  readonly created_at: number;
  /** Epoch seconds. */
  readonly updated_at: number;
  /** Its owner. */
  readonly user_id: string;
  /** Signs deliveries; shown only here. Starts with `whsec_`. */
  readonly signing_key: string;
}

export interface Webhook {
  /** Starts with `wh_`. */
  readonly id: string;
  /** Null when none was given. */
  readonly name: string | null;
  /** Null when none was given. */
  readonly description: string | null;
  /** Where events are posted. */
  readonly url: string;
  /** Whether it receives events. */
  readonly active: boolean;
  /** Epoch seconds. */
  readonly created_at: number;
  /** Epoch seconds. */
  readonly updated_at: number;
  /** With `expand=state`: what becomes of its deliveries. */
  readonly state?: {
    /** Deliveries that are still to be sent. */
    readonly pending: number;
    /** When the first of them was created, epoch seconds; null for none. */
    readonly oldest_pending_at: number | null;
    /** Those that are about to be sent; the others wait for their next attempt. */
    readonly due: number;
    /** Deliveries that failed for good. */
    readonly dead: number;
    /** Epoch seconds: 24 hours ago, or as far back as all delivered ones are stored. */
    readonly since: number;
    /** Deliveries since then that were delivered. */
    readonly delivered: number;
    /** Deliveries since then that failed, so far or for good. */
    readonly failed: number;
    /** Null before the first one. */
    readonly last_attempt: {
      /** Epoch seconds. */
      readonly at: number;
      /** Null when there was no answer. */
      readonly http_status: number | null;
      /** Null when it succeeded. */
      readonly error: string | null;
      readonly duration_ms: number;
    } | null;
  };
}

export interface WebhookDetail {
  /** Starts with `wh_`. */
  readonly id: string;
  /** Null when none was given. */
  readonly name: string | null;
  /** Null when none was given. */
  readonly description: string | null;
  /** Where events are posted. */
  readonly url: string;
  /** Whether it receives events. */
  readonly active: boolean;
  /** Epoch seconds. */
  readonly created_at: number;
  /** Epoch seconds. */
  readonly updated_at: number;
  /** How a delivery carries the event. */
  readonly format: "event" | "envelope" | "cloudevents" | "cloudevents-binary";
  /** Events that were dropped while it was inactive and 10,000 deliveries waited. */
  readonly skipped_events: number;
  /** With `expand=state`: what becomes of its deliveries. */
  readonly state?: {
    /** Deliveries that are still to be sent. */
    readonly pending: number;
    /** When the first of them was created, epoch seconds; null for none. */
    readonly oldest_pending_at: number | null;
    /** Those that are about to be sent; the others wait for their next attempt. */
    readonly due: number;
    /** Deliveries that failed for good. */
    readonly dead: number;
    /** Epoch seconds: 24 hours ago, or as far back as all delivered ones are stored. */
    readonly since: number;
    /** Deliveries since then that were delivered. */
    readonly delivered: number;
    /** Deliveries since then that failed, so far or for good. */
    readonly failed: number;
    /** Null before the first one. */
    readonly last_attempt: {
      /** Epoch seconds. */
      readonly at: number;
      /** Null when there was no answer. */
      readonly http_status: number | null;
      /** Null when it succeeded. */
      readonly error: string | null;
      readonly duration_ms: number;
    } | null;
  };
}

export interface WebhookWithKey {
  /** Starts with `wh_`. */
  readonly id: string;
  /** Null when none was given. */
  readonly name: string | null;
  /** Null when none was given. */
  readonly description: string | null;
  /** Where events are posted. */
  readonly url: string;
  /** Whether it receives events. */
  readonly active: boolean;
  /** Epoch seconds. */
  readonly created_at: number;
  /** Epoch seconds. */
  readonly updated_at: number;
  /** How a delivery carries the event. */
  readonly format: "event" | "envelope" | "cloudevents" | "cloudevents-binary";
  /** Events that were dropped while it was inactive and 10,000 deliveries waited. */
  readonly skipped_events: number;
  /** Signs deliveries; shown only here. Starts with `whsec_`. */
  readonly signing_key: string;
}
