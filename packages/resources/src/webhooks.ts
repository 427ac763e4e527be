import type * as Rest from "@x/client";
import { asJson, JsonText } from "@x/http";
import {
  type Delivery,
  type DeliveryAttempt,
  type DeliveryDetail,
  type DeliveryResponse,
  type Webhook,
  type WebhookActivity,
  webhookFormats,
  type WebhookView,
} from "@x/runtime";

import { viewBody } from "./body-view.ts";
import { record, type Schema, seconds, secondsOrNull, text, textOrNull, whole } from "./shapes.ts";
import { viewBy } from "./view.ts";

const note = textOrNull("Null when none was given.");

const webhook = {
  id: text("Starts with `wh_`."),
  name: note,
  description: note,
  url: text("Where events are posted."),
  active: { type: "boolean", description: "Whether it receives events." },
  created_at: seconds,
  updated_at: seconds,
};

const attempt = {
  at: seconds,
  http_status: { type: ["integer", "null"], description: "Null when there was no answer." },
  error: { type: ["string", "null"], description: "Null when it succeeded." },
  duration_ms: { type: "integer" },
} satisfies Readonly<Record<string, Schema>>;

const state: Schema = {
  ...record({
    pending: whole("Deliveries that are still to be sent."),
    oldest_pending_at: secondsOrNull("When the first of them was created, epoch seconds; null for none."),
    due: whole("Those that are about to be sent; the others wait for their next attempt."),
    dead: whole("Deliveries that failed for good."),
    since: {
      ...seconds,
      description: "Epoch seconds: 24 hours ago, or as far back as all delivered ones are stored.",
    },
    delivered: whole("Deliveries since then that were delivered."),
    failed: whole("Deliveries since then that failed, so far or for good."),
    last_attempt: {
      description: "Null before the first one.",
      anyOf: [record(attempt), { type: "null" }],
    },
  }),
  description: "With `expand=state`: what becomes of its deliveries.",
};

const detail = {
  ...webhook,
  format: { type: "string", enum: webhookFormats, description: "How a delivery carries the event." },
  skipped_events: {
    type: "integer",
    description: "Events that were dropped while it was inactive and 10,000 deliveries waited.",
  },
};

const key = { signing_key: text("Signs deliveries; shown only here. Starts with `whsec_`.") };

const webhookExample = {
  id: "wh_3fDk20TqLm",
  name: "Archive",
  description: null,
  url: "https://archive.example/hook",
  active: true,
  created_at: 1_795_200_000,
  updated_at: 1_795_200_000,
};
const detailExample = { ...webhookExample, format: "event", skipped_events: 0 };
const keyExample = { signing_key: "whsec_q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ" };

const body = {
  body: text("The beginning of its body."),
  body_base64: text("Instead of the text, for a body that is not UTF-8."),
  body_truncated: { type: "boolean", const: true, description: "The body is longer." },
};
const answered = {
  ...attempt,
  response: {
    description: "What the receiver answered; null without an answer, and for older attempts beyond 8 KiB in all.",
    anyOf: [
      record(
        {
          headers: { type: "object", description: "Those that say something about the attempt, in lower case." },
          ...body,
          body_bytes: { type: "integer", description: "Size of the body, as far as it was read." },
        },
        Object.keys(body),
      ),
      { type: "null" },
    ],
  },
} satisfies Readonly<Record<string, Schema>>;

const delivery = {
  id: text("Starts with `dlv_`."),
  webhook_id: text("Where it goes."),
  event_id: text("Which event it is."),
  emitter_id: text("Who emitted it."),
  event_name: text("`$errors`, `$logs`, a channel, or empty for the default stream."),
  status: { type: "string", enum: ["pending", "delivered", "dead"] },
  attempts: { type: "array", description: "Oldest first.", items: record(attempt) },
  next_attempt_at: { type: ["integer", "null"], description: "Epoch seconds; null when none follows." },
  created_at: seconds,
};
const attemptExample = { at: 1_795_200_360, http_status: 204, error: null, duration_ms: 38 };
const deliveryExample = {
  id: "dlv_3GmP0q7RzYwK5tLxVb2NcD8eFh2",
  webhook_id: "wh_3fDk20TqLm",
  event_id: "1795200360412-0",
  emitter_id: "dc_h7Tq2Wn4Zx",
  event_name: "",
  status: "delivered",
  attempts: [attemptExample],
  next_attempt_at: null,
  created_at: 1_795_200_360,
};

/** Schemas of webhooks and their deliveries, by name. */
export const webhookSchemas: Readonly<
  Record<"Webhook" | "WebhookDetail" | "WebhookWithKey" | "NewWebhook" | "Delivery" | "DeliveryDetail", Schema>
> = {
  Webhook: { ...record({ ...webhook, state }, ["state"]), examples: [webhookExample] },
  WebhookDetail: { ...record({ ...detail, state }, ["state"]), examples: [detailExample] },
  WebhookWithKey: { ...record({ ...detail, ...key }), examples: [{ ...detailExample, ...keyExample }] },
  NewWebhook: {
    ...record({ ...webhook, user_id: text("Its owner."), ...key }),
    examples: [{ ...webhookExample, user_id: "u_c3R8vQ1mXa", ...keyExample }],
  },
  Delivery: { ...record(delivery), examples: [deliveryExample] },
  DeliveryDetail: {
    ...record({
      ...delivery,
      attempts: { ...delivery.attempts, items: record(answered) },
      event: { description: "The event, any JSON value." },
    }),
    examples: [
      {
        ...deliveryExample,
        attempts: [
          {
            ...attemptExample,
            response: { headers: { "content-type": "text/plain" }, body: "stored", body_bytes: 6 },
          },
        ],
        event: { id: "A-1", total: 12 },
      },
    ],
  },
};

/** A webhook as lists show it. */
export const viewWebhook: (webhook: WebhookView) => Rest.Webhook = viewBy<Rest.Webhook>(webhookSchemas.Webhook);

/** A new webhook with its owner and signing key, which no later answer shows. */
export const viewNewWebhook: (webhook: Webhook) => Rest.NewWebhook = viewBy<Rest.NewWebhook>(webhookSchemas.NewWebhook);

/** A webhook with the format of its bodies and the number of skipped events. */
export const viewWebhookDetail = (webhook: WebhookView): Rest.WebhookDetail => ({
  ...viewWebhook(webhook),
  format: webhook.format,
  skipped_events: webhook.skipped,
});

/** A webhook with its new signing key. */
export const viewRotatedWebhook = (webhook: Webhook): Rest.WebhookWithKey => ({
  ...viewWebhookDetail(webhook),
  signing_key: webhook.signingKey,
});

const attemptView = viewBy<Rest.Delivery["attempts"][number], "duration_ms">(record(attempt));
const viewAttempt = (made: DeliveryAttempt) => attemptView(made, { duration_ms: Math.round(made.durationMs) });

const activityView = viewBy<NonNullable<Rest.Webhook["state"]>, "last_attempt">(state);

/** What becomes of the deliveries of a webhook. */
export const viewWebhookActivity = (activity: WebhookActivity): NonNullable<Rest.Webhook["state"]> =>
  activityView(activity, { last_attempt: activity.lastAttempt ? viewAttempt(activity.lastAttempt) : null });

const deliveryView = viewBy<Rest.Delivery, "attempts" | "next_attempt_at">(webhookSchemas.Delivery);

export const viewDelivery = (delivery: Delivery): Rest.Delivery =>
  deliveryView(delivery, {
    attempts: delivery.attempts.map(viewAttempt),
    next_attempt_at: delivery.nextAttemptAt === null ? null : Math.ceil(delivery.nextAttemptAt / 1000),
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

/** A delivery with the event that it brings. */
export const viewDeliveryDetail = ({ payload, ...delivery }: DeliveryDetail): Rest.DeliveryDetail => ({
  ...viewDelivery(delivery),
  attempts: delivery.attempts.map(viewAttemptDetail),
  event: asJson(new JsonText(payload)),
});
