import {
  type Json,
  longerThan,
  readEach,
  type UserRuntime,
  type WebhookChange,
  webhookFormats,
  XError,
} from "@x/runtime";

import {
  viewDelivery,
  viewDeliveryDetail,
  viewNewWebhook,
  viewRotatedWebhook,
  viewWebhook,
  viewWebhookActivity,
  viewWebhookDetail,
  record,
} from "@x/resources";
import { readSearch, searchIn } from "../list-search.ts";
import { idCursor, pageAnswer, parsePage } from "../page.ts";
import { type Route, tagged } from "../route.ts";
import { nothing, one, oneOfTexts, pageOf } from "../route-answer.ts";
import type { ParameterSchema } from "../schema.ts";
import { findListed, idsParameter } from "./listed-ids.ts";
import { type ExpandQuery, expandState } from "./source-state.ts";
import { mergeParameters, pageParameters, requireParameters } from "./parameters.ts";

const route = tagged("Webhooks");

interface Texts {
  readonly name: Json | undefined;
  readonly description: Json | undefined;
}

const longestText = 4_000;
const url = {
  type: "string",
  maxLength: longestText,
  description: "an absolute http or https URL",
} as const satisfies ParameterSchema;
const note = { type: "string", maxLength: longestText, description: "a text" } as const satisfies ParameterSchema;
const format = {
  type: "string",
  enum: webhookFormats,
  description: '"event", "envelope", "cloudevents" or "cloudevents-binary"',
} as const satisfies ParameterSchema;
const status = {
  type: "string",
  enum: ["", "pending", "delivered", "dead"],
  description: '"pending", "delivered" or "dead"',
  shownAs: { type: "string", enum: ["pending", "delivered", "dead"] },
} as const satisfies ParameterSchema;
const condition = {
  type: "string",
  enum: ["", "failing", "dead", "pending", "paused"],
  description: '"failing", "dead", "pending" or "paused"',
  shownAs: { type: "string", enum: ["failing", "dead", "pending", "paused"] },
} as const satisfies ParameterSchema;
const newParameters = { url, name: note, description: note, format };
const textOrNull = {
  description: "a text or null",
  shownAs: { type: ["string", "null"] },
} as const satisfies ParameterSchema;

const instant = (what: string) =>
  ({ type: "integer", minimum: 0, description: `epoch milliseconds; ${what}` }) as const satisfies ParameterSchema;

/** A text, or null to remove it. */
function readText(name: "name" | "description", value: Json): string | null {
  if (value === null || (typeof value === "string" && value.length <= longestText)) return value;
  const got = typeof value === "string" ? `a text ${longerThan(longestText)}` : typeof value;
  throw new XError("invalid_parameter", [name, "a text or null", got]);
}

const readTexts = ({ name, description }: Texts): Pick<WebhookChange, "name" | "description"> =>
  readEach({
    ...(name !== undefined && { name: () => readText("name", name) }),
    ...(description !== undefined && { description: () => readText("description", description) }),
  });

/** The member `state` of a webhook, when it is asked for. */
const stateOf = async (runtime: UserRuntime, id: string, { expand }: ExpandQuery): Promise<object> =>
  expand === "state" ? { state: viewWebhookActivity(await runtime.webhookActivity(id)) } : {};

/** Webhooks and their deliveries. */
export const webhookRoutes: readonly Route[] = [
  route("POST /webhooks", {
    name: "createWebhook",
    summary: "Register a URL that receives events",
    description: [
      "Parameters come in the query or in the body; the query takes precedence. Only this answer shows the signing",
      "key. Deliveries are signed as Standard Webhooks describes.",
    ].join("\n"),
    errors: ["missing_parameter", "invalid_parameter", "address_forbidden"],
    answer: one("NewWebhook", "The new webhook."),
    query: newParameters,
    body: newParameters,
    async handle({ runtime, query, body }) {
      const given = mergeParameters(query, body);
      requireParameters(given, { url });
      return viewNewWebhook(await runtime.createWebhook(given));
    },
  }),
  route("GET /users/me/webhooks", {
    name: "listWebhooks",
    summary: "List webhooks, newest first",
    description: [
      "With `expand=state` each webhook has `state`: its pending and dead deliveries, and its last attempt. The last attempt of",
      "`failing` ones failed; `dead` and `pending` ones have such deliveries. `total_count` is the number of those that match.",
      "`ids` lists these webhooks alone, without pages; unknown ones are left out.",
    ].join("\n"),
    answer: pageOf("Webhook", "A page of webhooks."),
    query: {
      ...pageParameters,
      ...searchIn("the name or the URL, or begins the id"),
      status: condition,
      ids: idsParameter,
      expand: expandState,
    },
    async handle({ runtime, query, select }) {
      const filter = { ...readSearch(query), ...(query.status && { status: query.status }) };
      const page = query.ids
        ? await findListed({ ...query, ids: query.ids }, (id) => runtime.webhook(id))
        : await runtime.webhooks(parsePage(query), filter);
      const states = new Map<string, object>();
      for (const { id } of page.items) states.set(id, await stateOf(runtime, id, query));
      return pageAnswer(page, idCursor, (webhook) => select({ ...viewWebhook(webhook), ...states.get(webhook.id) }));
    },
  }),
  route("GET /webhooks/:id", {
    name: "readWebhook",
    summary: "Read a webhook",
    answer: one("WebhookDetail", "The webhook."),
    query: { expand: expandState },
    async handle({ runtime, params, query }) {
      const webhook = viewWebhookDetail(await runtime.webhook(params.id));
      return { ...webhook, ...(await stateOf(runtime, params.id, query)) };
    },
  }),
  route("PUT /webhooks/:id", {
    name: "changeWebhook",
    summary: "Change a webhook; absent fields stay",
    description:
      "While it is inactive, deliveries wait, 10,000 at most, and are sent when it becomes active again, oldest first; `skipped_events` counts further ones.",
    bodyExample: { url: "https://archive.example/hook", active: true },
    errors: ["address_forbidden"],
    answer: one("WebhookDetail", "The changed webhook."),
    body: {
      url,
      name: textOrNull,
      description: textOrNull,
      active: { type: "boolean", description: "true or false" },
      format,
    },
    async handle({ runtime, params, body: { name, description, ...change } }) {
      const texts = readTexts({ name, description });
      return viewWebhookDetail(await runtime.updateWebhook(params.id, { ...change, ...texts }));
    },
  }),
  route("DELETE /webhooks/:id", {
    name: "deleteWebhook",
    summary: "Delete a webhook",
    answer: nothing("Deleted, with its subscriptions and deliveries."),
    handle: ({ runtime, params }) => runtime.deleteWebhook(params.id),
  }),
  route("POST /webhooks/:id/rotate_key", {
    name: "rotateWebhookKey",
    summary: "Rotate the signing key of a webhook; the old key also signs for one day",
    answer: one("WebhookWithKey", "The webhook with its new key."),
    handle: async ({ runtime, params }) => viewRotatedWebhook(await runtime.rotateWebhookKey(params.id)),
  }),
  route("GET /webhooks/:id/deliveries", {
    name: "listDeliveries",
    summary: "List deliveries of a webhook, newest first",
    description: "The last 100 delivered and the last 1,000 dead ones are kept.",
    answer: pageOf("Delivery", "A page of deliveries."),
    query: { ...pageParameters, status },
    async handle({ runtime, params, query, select }) {
      const { status: only } = query;
      const page = await runtime.deliveries(params.id, { ...parsePage(query), ...(only && { status: only }) });
      return pageAnswer(page, idCursor, (delivery) => select(viewDelivery(delivery)));
    },
  }),
  route("GET /webhooks/:id/deliveries/:delivery", {
    name: "readDelivery",
    summary: "Read a delivery with its event",
    answer: oneOfTexts("DeliveryDetail", "The delivery."),
    handle: async ({ runtime, params }) => viewDeliveryDetail(await runtime.delivery(params.id, params.delivery)),
  }),
  route("POST /webhooks/:id/deliveries/:delivery/redeliver", {
    name: "redeliver",
    summary: "Send a delivery again, now",
    bodyExample: { wait: true },
    errors: ["inactive"],
    answer: one("Delivery", "The delivery, pending again; with `wait`, after the attempt."),
    body: { wait: { type: "boolean", description: "true or false" } },
    handle: async ({ runtime, params, body: { wait = false } }) =>
      viewDelivery(await runtime.redeliver(params.id, params.delivery, { wait })),
  }),
  route("POST /webhooks/:id/redeliver", {
    name: "redeliverMany",
    summary: "Send the dead deliveries of a webhook again, or those of a time range",
    description: "Oldest first, at the pace of other deliveries; those with the status `pending` are still to be sent.",
    bodyExample: { status: "dead", since: 1_795_200_000_000, limit: 100 },
    errors: ["inactive"],
    answer: one(record({ count: { type: "integer" } }), "How many are pending again.", 202),
    body: {
      status: { type: "string", enum: ["dead", "delivered"], description: '"dead" (default) or "delivered"' },
      since: instant("created then or later"),
      until: instant("created then or earlier"),
      limit: { type: "integer", minimum: 1, description: "an integer of at least 1: the newest so many" },
    },
    handle: async ({ runtime, params, body }) => ({ count: await runtime.redeliverMany(params.id, body) }),
  }),
];
