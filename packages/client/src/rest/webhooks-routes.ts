// Written from the OpenAPI document by: vitest run test/client-types.test.ts -u

import type { Delivery, DeliveryDetail, NewWebhook, Webhook, WebhookDetail, WebhookWithKey } from "./webhooks.ts";
import type { PageInfo } from "./envelope.ts";

export interface WebhooksRoutes {
  /** Register a URL that receives events. */
  readonly "POST /webhooks": {
    readonly body?: {
      /** An absolute http or https URL. */
      readonly url?: string | undefined;
      /** A text. */
      readonly name?: string | undefined;
      /** A text. */
      readonly description?: string | undefined;
      /** "event", "envelope", "cloudevents" or "cloudevents-binary" */
      readonly format?: "event" | "envelope" | "cloudevents" | "cloudevents-binary" | undefined;
    } | undefined;
    readonly answer: {
      readonly data: NewWebhook;
    };
  };
  /** List webhooks, newest first. */
  readonly "GET /users/me/webhooks": {
    readonly query?: {
      /** An integer. */
      readonly limit?: number | undefined;
      /** A cursor from page_info. */
      readonly after?: string | undefined;
      /** A cursor from page_info. */
      readonly before?: string | undefined;
      /** Words; each is in the name or the URL, or begins the id, in any case. */
      readonly q?: string | undefined;
      /** "failing", "dead", "pending" or "paused" */
      readonly status?: "failing" | "dead" | "pending" | "paused" | undefined;
      /** At most 100 ids, separated by commas; not with q, status or app. */
      readonly ids?: string | undefined;
      /** "state" */
      readonly expand?: "state" | undefined;
    } | undefined;
    readonly answer: {
      readonly page_info: PageInfo;
      readonly data: readonly Webhook[];
    };
  };
  /** Read a webhook. */
  readonly "GET /webhooks/{id}": {
    readonly path: { readonly id: string };
    readonly query?: {
      /** "state" */
      readonly expand?: "state" | undefined;
    } | undefined;
    readonly answer: {
      readonly data: WebhookDetail;
    };
  };
  /** Change a webhook; absent fields stay. */
  readonly "PUT /webhooks/{id}": {
    readonly path: { readonly id: string };
    readonly body?: {
      /** An absolute http or https URL. */
      readonly url?: string | undefined;
      /** A text or null. */
      readonly name?: string | null | undefined;
      /** A text or null. */
      readonly description?: string | null | undefined;
      /** True or false. */
      readonly active?: boolean | undefined;
      /** "event", "envelope", "cloudevents" or "cloudevents-binary" */
      readonly format?: "event" | "envelope" | "cloudevents" | "cloudevents-binary" | undefined;
    } | undefined;
    readonly answer: {
      readonly data: WebhookDetail;
    };
  };
  /** Delete a webhook. */
  readonly "DELETE /webhooks/{id}": {
    readonly path: { readonly id: string };
    readonly answer: undefined;
  };
  /** Rotate the signing key of a webhook; the old key also signs for one day. */
  readonly "POST /webhooks/{id}/rotate_key": {
    readonly path: { readonly id: string };
    readonly answer: {
      readonly data: WebhookWithKey;
    };
  };
  /** List deliveries of a webhook, newest first. */
  readonly "GET /webhooks/{id}/deliveries": {
    readonly path: { readonly id: string };
    readonly query?: {
      /** An integer. */
      readonly limit?: number | undefined;
      /** A cursor from page_info. */
      readonly after?: string | undefined;
      /** A cursor from page_info. */
      readonly before?: string | undefined;
      /** "pending", "delivered" or "dead" */
      readonly status?: "pending" | "delivered" | "dead" | undefined;
    } | undefined;
    readonly answer: {
      readonly page_info: PageInfo;
      readonly data: readonly Delivery[];
    };
  };
  /** Read a delivery with its event. */
  readonly "GET /webhooks/{id}/deliveries/{delivery}": {
    readonly path: { readonly id: string; readonly delivery: string };
    readonly answer: {
      readonly data: DeliveryDetail;
    };
  };
  /** Send a delivery again, now. */
  readonly "POST /webhooks/{id}/deliveries/{delivery}/redeliver": {
    readonly path: { readonly id: string; readonly delivery: string };
    readonly body?: {
      /** True or false. */
      readonly wait?: boolean | undefined;
    } | undefined;
    readonly answer: {
      readonly data: Delivery;
    };
  };
  /** Send the dead deliveries of a webhook again, or those of a time range. */
  readonly "POST /webhooks/{id}/redeliver": {
    readonly path: { readonly id: string };
    readonly body?: {
      /** "dead" (default) or "delivered" */
      readonly status?: "dead" | "delivered" | undefined;
      /** Epoch milliseconds; created then or later. */
      readonly since?: number | undefined;
      /** Epoch milliseconds; created then or earlier. */
      readonly until?: number | undefined;
      /** An integer of at least 1: the newest so many. */
      readonly limit?: number | undefined;
    } | undefined;
    readonly answer: {
      readonly data: {
        readonly count: number;
      };
    };
  };
}
