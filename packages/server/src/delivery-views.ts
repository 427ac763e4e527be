import type * as Rest from "@x/client";
import {
  type AutoSubscription,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryDetail,
  type DeliveryResponse,
  type Subscription,
  type Webhook,
  type WebhookActivity,
  type WebhookView,
} from "@x/runtime";

import { viewBody } from "./body-view.ts";
import { asJson, JsonText } from "@x/http";
import { seconds } from "./views.ts";

export const viewSubscription = ({ id, emitterId, listenerId, eventName }: Subscription): Rest.Subscription => ({
  id,
  emitter_id: emitterId,
  listener_id: listenerId,
  event_name: eventName,
});

export const viewAutoSubscription = ({
  id,
  eventName,
  listenerId,
  createdAt,
}: AutoSubscription): Rest.AutoSubscription => ({
  id,
  event_name: eventName,
  listener_id: listenerId,
  created_at: seconds(createdAt),
});

/** A webhook as lists show it. */
export const viewWebhook = ({
  id,
  name,
  description,
  url,
  active,
  createdAt,
  updatedAt,
}: WebhookView): Rest.Webhook => ({
  id,
  name,
  description,
  url,
  active,
  created_at: seconds(createdAt),
  updated_at: seconds(updatedAt),
});

/** A webhook with the format of its bodies and the number of skipped events. */
export const viewWebhookDetail = (webhook: WebhookView): Rest.WebhookDetail => ({
  ...viewWebhook(webhook),
  format: webhook.format,
  skipped_events: webhook.skipped,
});

/** What becomes of the deliveries of a webhook. */
export const viewWebhookActivity = (activity: WebhookActivity): NonNullable<Rest.Webhook["state"]> => ({
  pending: activity.pending,
  oldest_pending_at: activity.oldestPendingAt === null ? null : seconds(activity.oldestPendingAt),
  due: activity.due,
  dead: activity.dead,
  since: seconds(activity.since),
  delivered: activity.delivered,
  failed: activity.failed,
  last_attempt: activity.lastAttempt ? viewAttempt(activity.lastAttempt) : null,
});

/** A new webhook with its owner and signing key, which no later answer shows. */
export const viewNewWebhook = (webhook: Webhook): Rest.NewWebhook => ({
  ...viewWebhook(webhook),
  user_id: webhook.userId,
  signing_key: webhook.signingKey,
});

/** A webhook with its new signing key. */
export const viewRotatedWebhook = (webhook: Webhook): Rest.WebhookWithKey => ({
  ...viewWebhookDetail(webhook),
  signing_key: webhook.signingKey,
});

/** A delivery with the event that it brings. */
export const viewDeliveryDetail = ({ payload, ...delivery }: DeliveryDetail): Rest.DeliveryDetail => ({
  ...viewDelivery(delivery),
  attempts: delivery.attempts.map(viewAttemptDetail),
  event: asJson(new JsonText(payload)),
});

const viewAttempt = ({ at, httpStatus, error, durationMs }: DeliveryAttempt) => ({
  at: seconds(at),
  http_status: httpStatus,
  error,
  duration_ms: Math.round(durationMs),
});

const viewResponse = ({ headers, body, bodyBytes }: DeliveryResponse) => ({
  headers,
  ...viewBody("", body),
  body_bytes: bodyBytes,
});

const viewAttemptDetail = (attempt: DeliveryAttempt) => ({
  ...viewAttempt(attempt),
  response: attempt.response ? viewResponse(attempt.response) : null,
});

export const viewDelivery = (delivery: Delivery): Rest.Delivery => ({
  id: delivery.id,
  webhook_id: delivery.webhookId,
  event_id: delivery.eventId,
  emitter_id: delivery.emitterId,
  event_name: delivery.eventName,
  status: delivery.status,
  attempts: delivery.attempts.map(viewAttempt),
  next_attempt_at: delivery.nextAttemptAt === null ? null : Math.ceil(delivery.nextAttemptAt / 1000),
  created_at: seconds(delivery.createdAt),
});
