import {
  type Json,
  longerThan,
  readEach,
  type UserRuntime,
  type WebhookChange,
  type WebhookFormat,
  webhookFormats,
  XError,
} from "@x/runtime";

import { emptyAnswer, jsonTextAnswer } from "@x/http";
import {
  viewDelivery,
  viewDeliveryDetail,
  viewNewWebhook,
  viewRotatedWebhook,
  viewWebhook,
  viewWebhookActivity,
  viewWebhookDetail,
  dataOf,
  listOf,
  record,
} from "@x/resources";
import { idCursor, pageAnswer, parsePage } from "../page.ts";
import { defineRoute, type Route } from "../route.ts";
import type { ParameterSchema } from "../schema.ts";
import { type ExpandQuery, expandState } from "./source-state.ts";
import { mergeParameters, pageParameters, requireParameters } from "./parameters.ts";

interface ChangeBody {
  readonly url?: string;
  readonly name?: Json;
  readonly description?: Json;
  readonly active?: boolean;
  readonly format?: WebhookFormat;
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
const newParameters = { url, name: note, description: note, format };
const textOrNull = {
  description: "a text or null",
  shownAs: { type: ["string", "null"] },
} as const satisfies ParameterSchema;

const instant = (what: string) =>
  ({ type: "integer", minimum: 0, description: `epoch milliseconds; ${what}` }) as const satisfies ParameterSchema;

const tag = "Webhooks";

/** A text, or null to remove it. */
function readText(name: "name" | "description", value: Json): string | null {
  if (value === null || (typeof value === "string" && value.length <= longestText)) return value;
  const got = typeof value === "string" ? `a text ${longerThan(longestText)}` : typeof value;
  throw new XError("invalid_parameter", [name, "a text or null", got]);
}

const readTexts = ({ name, description }: ChangeBody): Pick<WebhookChange, "name" | "description"> =>
  readEach({
    ...(name !== undefined && { name: () => readText("name", name) }),
    ...(description !== undefined && { description: () => readText("description", description) }),
  });

/** The member `state` of a webhook, when it is asked for. */
const stateOf = async (runtime: UserRuntime, id: string, { expand }: ExpandQuery): Promise<object> =>
  expand === "state" ? { state: viewWebhookActivity(await runtime.webhookActivity(id)) } : {};

/** Webhooks and their deliveries. */
export const webhookRoutes: readonly Route[] = [
  defineRoute({
    name: "createWebhook",
    tag,
    method: "POST",
    path: "/webhooks",
    summary: "Register a URL that receives events",
    description: [
      "Parameters come in the query or in the body; the query takes precedence. Only this answer shows the signing",
      "key. Deliveries are signed as Standard Webhooks describes.",
    ].join("\n"),
    errors: ["missing_parameter", "invalid_parameter", "address_forbidden"],
    answer: { status: 200, description: "The new webhook.", schema: dataOf("NewWebhook") },
    query: newParameters,
    body: newParameters,
    async handle({ runtime, query, body, resource }) {
      const given = mergeParameters(query, body);
      requireParameters(given, { url });
      const { url: target, name, description, format: form } = given;
      const input = {
        url: target,
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description }),
        ...(form !== undefined && { format: form }),
      };
      return resource(200, viewNewWebhook(await runtime.createWebhook(input)));
    },
  }),
  defineRoute({
    name: "listWebhooks",
    tag,
    method: "GET",
    path: "/users/me/webhooks",
    summary: "List webhooks, newest first",
    description: "With `expand=state` each webhook has `state`: its pending and dead deliveries, and its last attempt.",
    answer: { status: 200, description: "A page of webhooks.", schema: listOf("Webhook") },
    query: { ...pageParameters, expand: expandState },
    async handle({ runtime, query, select }) {
      const page = await runtime.webhooks(parsePage(query));
      const states = new Map<string, object>();
      for (const { id } of page.items) states.set(id, await stateOf(runtime, id, query));
      return pageAnswer(page, idCursor, (webhook) => select({ ...viewWebhook(webhook), ...states.get(webhook.id) }));
    },
  }),
  defineRoute({
    name: "readWebhook",
    tag,
    method: "GET",
    path: "/webhooks/:id",
    summary: "Read a webhook",
    answer: { status: 200, description: "The webhook.", schema: dataOf("WebhookDetail") },
    query: { expand: expandState },
    async handle({ runtime, params, query, resource }) {
      const webhook = viewWebhookDetail(await runtime.webhook(params.id));
      return resource(200, { ...webhook, ...(await stateOf(runtime, params.id, query)) });
    },
  }),
  defineRoute({
    name: "changeWebhook",
    tag,
    method: "PUT",
    path: "/webhooks/:id",
    summary: "Change a webhook; absent fields stay",
    description:
      "While it is inactive, deliveries wait, 10,000 at most, and are sent when it becomes active again, oldest first; `skipped_events` counts further ones.",
    bodyExample: { url: "https://archive.example/hook", active: true },
    errors: ["address_forbidden"],
    answer: { status: 200, description: "The changed webhook.", schema: dataOf("WebhookDetail") },
    body: {
      url,
      name: textOrNull,
      description: textOrNull,
      active: { type: "boolean", description: "true or false" },
      format,
    },
    async handle({ runtime, params, body, resource }) {
      const change = {
        ...readTexts(body),
        ...(body.url !== undefined && { url: body.url }),
        ...(body.active !== undefined && { active: body.active }),
        ...(body.format !== undefined && { format: body.format }),
      };
      return resource(200, viewWebhookDetail(await runtime.updateWebhook(params.id, change)));
    },
  }),
  defineRoute({
    name: "deleteWebhook",
    tag,
    method: "DELETE",
    path: "/webhooks/:id",
    summary: "Delete a webhook",
    answer: { status: 204, description: "Deleted, with its subscriptions and deliveries." },
    async handle({ runtime, params }) {
      await runtime.deleteWebhook(params.id);
      return emptyAnswer;
    },
  }),
  defineRoute({
    name: "rotateWebhookKey",
    tag,
    method: "POST",
    path: "/webhooks/:id/rotate_key",
    summary: "Rotate the signing key of a webhook; the old key also signs for one day",
    answer: { status: 200, description: "The webhook with its new key.", schema: dataOf("WebhookWithKey") },
    async handle({ runtime, params, resource }) {
      return resource(200, viewRotatedWebhook(await runtime.rotateWebhookKey(params.id)));
    },
  }),
  defineRoute({
    name: "listDeliveries",
    tag,
    method: "GET",
    path: "/webhooks/:id/deliveries",
    summary: "List deliveries of a webhook, newest first",
    description: "The last 100 delivered and the last 1,000 dead ones are kept.",
    answer: { status: 200, description: "A page of deliveries.", schema: listOf("Delivery") },
    query: { ...pageParameters, status },
    async handle({ runtime, params, query, select }) {
      const { status: only } = query;
      const page = await runtime.deliveries(params.id, { ...parsePage(query), ...(only && { status: only }) });
      return pageAnswer(page, idCursor, (delivery) => select(viewDelivery(delivery)));
    },
  }),
  defineRoute({
    name: "readDelivery",
    tag,
    method: "GET",
    path: "/webhooks/:id/deliveries/:delivery",
    summary: "Read a delivery with its event",
    answer: { status: 200, description: "The delivery.", schema: dataOf("DeliveryDetail") },
    async handle({ runtime, params, select }) {
      const delivery = await runtime.delivery(params.id, params.delivery);
      return jsonTextAnswer(200, { data: select(viewDeliveryDetail(delivery)) });
    },
  }),
  defineRoute({
    name: "redeliver",
    tag,
    method: "POST",
    path: "/webhooks/:id/deliveries/:delivery/redeliver",
    summary: "Send a delivery again, now",
    bodyExample: { wait: true },
    errors: ["inactive"],
    answer: {
      status: 200,
      description: "The delivery, pending again; with `wait`, after the attempt.",
      schema: dataOf("Delivery"),
    },
    body: { wait: { type: "boolean", description: "true or false" } },
    async handle({ runtime, params, body: { wait = false }, resource }) {
      return resource(200, viewDelivery(await runtime.redeliver(params.id, params.delivery, { wait })));
    },
  }),
  defineRoute({
    name: "redeliverMany",
    tag,
    method: "POST",
    path: "/webhooks/:id/redeliver",
    summary: "Send the dead deliveries of a webhook again, or those of a time range",
    description: "Oldest first, at the pace of other deliveries; those with the status `pending` are still to be sent.",
    bodyExample: { status: "dead", since: 1_795_200_000_000, limit: 100 },
    errors: ["inactive"],
    answer: {
      status: 202,
      description: "How many are pending again.",
      schema: record({ data: record({ count: { type: "integer" } }) }),
    },
    body: {
      status: { type: "string", enum: ["dead", "delivered"], description: '"dead" (default) or "delivered"' },
      since: instant("created then or later"),
      until: instant("created then or earlier"),
      limit: { type: "integer", minimum: 1, description: "an integer of at least 1: the newest so many" },
    },
    async handle({ runtime, params, body, resource }) {
      return resource(202, { count: await runtime.redeliverMany(params.id, body) });
    },
  }),
];
