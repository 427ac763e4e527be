import type { RecordedBody } from "./execution-model.ts";
import type { EventId, Json, Page } from "./model.ts";

/** Events of an emitter go to a listener. */
export interface Subscription {
  readonly id: string;
  readonly userId: string;
  /** A source, a workflow, or one of the globs `dc_*` and `p_*`. */
  readonly emitterId: string;
  /** A source, a workflow or a webhook. */
  readonly listenerId: string;
  /** As given: empty and `default` are the default stream, `$errors`, `$logs`, or a channel. */
  readonly eventName: string;
  readonly createdAt: number;
}

/** Subscribes a listener to every emitter that is created after it. */
export interface AutoSubscription {
  readonly id: string;
  readonly userId: string;
  readonly eventName: string;
  readonly listenerId: string;
  readonly createdAt: number;
}

/**
 * How a delivery carries the event: alone, in an envelope with its id, time, name and emitter, as a CloudEvent in structured
 * mode, or as a CloudEvent in binary mode, with its attributes in headers.
 */
export const webhookFormats = ["event", "envelope", "cloudevents", "cloudevents-binary"] as const;
export type WebhookFormat = (typeof webhookFormats)[number];

/** A URL that receives events. */
export interface Webhook {
  readonly id: string;
  readonly userId: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly url: string;
  readonly active: boolean;
  readonly format: WebhookFormat;
  /** `whsec_` and base64. */
  readonly signingKey: string;
  /** Keys from before rotations; each signs until its time. */
  readonly previousKeys: readonly { readonly key: string; readonly until: number }[];
  /** Number of events that arrived while it was inactive. */
  readonly skipped: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export type DeliveryStatus = "pending" | "delivered" | "dead";

/** A page of deliveries, newest first. */
export interface DeliveryPage extends Page {
  readonly status?: DeliveryStatus;
}

/** What a receiver answered to an attempt: masked, and its beginning. */
export interface DeliveryResponse {
  /** Those that say something about the attempt, by lower-case name. */
  readonly headers: { readonly [name: string]: Json };
  /** Absent for an empty one. */
  readonly body?: RecordedBody;
  /** Size of the body, as far as it was read. */
  readonly bodyBytes: number;
}

export interface DeliveryAttempt {
  readonly at: number;
  readonly httpStatus: number | null;
  readonly error: string | null;
  readonly durationMs: number;
  /** Absent without an answer, and for older attempts: the answers of a delivery have 8 Ki characters together. */
  readonly response?: DeliveryResponse;
}

/** The delivery of one event to one webhook. */
export interface Delivery {
  readonly id: string;
  readonly webhookId: string;
  readonly emitterId: string;
  readonly eventId: EventId;
  readonly emitId: string;
  /** `$errors`, `$logs`, a channel, or empty for the default stream. */
  readonly eventName: string;
  /** The author's `ts`, epoch ms. */
  readonly ts?: number;
  readonly status: DeliveryStatus;
  readonly attempts: readonly DeliveryAttempt[];
  /** Null when no attempt will follow. */
  readonly nextAttemptAt: number | null;
  readonly createdAt: number;
  /** The span of the run that emitted the event, as a W3C traceparent; absent without tracing. */
  readonly trace?: string;
}

/** A delivery with its own copy of the event, because events are trimmed. */
export interface QueuedDelivery extends Delivery {
  /** JSON text of the event. */
  readonly payload: string;
}

/** The webhook of a source that was deployed with `webhookUrl`. */
export interface SourceWebhook {
  readonly id: string;
  readonly url: string;
  /** Present only when the webhook is new: the key is shown once. */
  readonly signingKey?: string;
}
