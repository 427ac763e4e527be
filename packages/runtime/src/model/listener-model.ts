import type { EventId } from "./model.ts";

/** Events of an emitter go to a listener (R014). */
export interface Subscription {
  readonly id: string;
  readonly userId: string;
  /** A source, a workflow, or one of the globs `dc_*` and `p_*` (G19). */
  readonly emitterId: string;
  /** A source, a workflow or a webhook. */
  readonly listenerId: string;
  /** As given: empty and `default` are the default stream, `$errors`, `$logs`, or a channel (G18). */
  readonly eventName: string;
  readonly createdAt: number;
}

/** Subscribes a listener to every emitter that is created after it (R102). */
export interface AutoSubscription {
  readonly id: string;
  readonly userId: string;
  readonly eventName: string;
  readonly listenerId: string;
  readonly createdAt: number;
}

/** The body of a delivery: the event alone, or the event with its id, time, name and emitter (contract 3.8). */
export type WebhookFormat = "event" | "envelope";

/** A URL that receives events (R015). */
export interface Webhook {
  readonly id: string;
  readonly userId: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly url: string;
  readonly active: boolean;
  readonly format: WebhookFormat;
  /** `whsec_` and base64 (G12). */
  readonly signingKey: string;
  /** Keys before rotations; each signs until its time. */
  readonly previousKeys: readonly { readonly key: string; readonly until: number }[];
  /** Events that came while it was inactive (G14). */
  readonly skipped: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export type DeliveryStatus = "pending" | "delivered" | "dead";

export interface DeliveryAttempt {
  readonly at: number;
  readonly httpStatus: number | null;
  readonly error: string | null;
  readonly durationMs: number;
}

/** One event on its way to one webhook (S13). */
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
}

/** A delivery with what it delivers; its own copy, because events are trimmed. */
export interface QueuedDelivery extends Delivery {
  /** JSON text of the event. */
  readonly payload: string;
}

/** The webhook of a source that was deployed with `webhookUrl`. */
export interface SourceWebhook {
  readonly id: string;
  readonly url: string;
  /** When it is new: it is not shown again. */
  readonly signingKey?: string;
}
