import type { SubscriptionInput } from "@x/runtime";

import { viewAutoSubscription, viewSubscription } from "@x/resources";
import { type Route, tagged } from "../route.ts";
import { renamed } from "../renamed.ts";
import { all, nothing, one } from "../route-answer.ts";
import type { ParameterSchema } from "../schema.ts";
import { mergeParameters, requireParameters } from "./parameters.ts";

const route = tagged("Subscriptions");

interface Given {
  readonly emitter_id?: string;
  readonly listener_id?: string;
  readonly event_name?: string;
}

const id = { type: "string", minLength: 1, maxLength: 256 } as const;
const emitter_id = {
  ...id,
  description: "the id of a source or workflow, dc_* or p_*",
} as const satisfies ParameterSchema;
const listener_id = {
  ...id,
  description: "the id of a source, workflow or webhook",
} as const satisfies ParameterSchema;
const event_name = {
  type: "string",
  maxLength: 256,
  description: "$errors, $logs, default, empty, or the name of a channel",
} as const satisfies ParameterSchema;
const triple = { emitter_id, listener_id, event_name };
const pair = { event_name, listener_id };

function readTriple(query: Given, body: Given): SubscriptionInput {
  const given = mergeParameters(query, body);
  requireParameters(given, { emitter_id, listener_id });
  return renamed(given);
}

function readPair(query: Given, body: Given): { eventName: string; listenerId: string } {
  const given = mergeParameters(query, body);
  requireParameters(given, pair);
  return renamed(given);
}

/** Subscriptions of listeners to emitters. */
export const subscriptionRoutes: readonly Route[] = [
  route("POST /subscriptions", {
    name: "subscribe",
    summary: "Send events of an emitter to a listener",
    description:
      "Parameters come in the query or in the body; the query takes precedence. A repeated request returns the existing one.",
    errors: ["missing_parameter", "invalid_parameter", "not_found"],
    answer: one("Subscription", "The subscription."),
    query: triple,
    body: triple,
    handle: async ({ runtime, query, body }) => viewSubscription(await runtime.subscribe(readTriple(query, body))),
  }),
  route("DELETE /subscriptions", {
    name: "unsubscribe",
    summary: "Delete a subscription",
    description: "`event_name` is required, as it was given; empty for a subscription without one.",
    errors: ["missing_parameter", "not_found"],
    answer: nothing("Deleted."),
    query: triple,
    body: triple,
    async handle({ runtime, query, body }) {
      requireParameters(mergeParameters(query, body), triple);
      await runtime.unsubscribe(readTriple(query, body));
    },
  }),
  route("GET /users/me/subscriptions", {
    name: "listSubscriptions",
    summary: "List all subscriptions, newest first",
    answer: all("Subscription", "All subscriptions, without pages."),
    async handle({ runtime }) {
      const found = await runtime.subscriptions();
      return found.map(viewSubscription);
    },
  }),
  route("POST /auto_subscriptions", {
    name: "autoSubscribe",
    summary: "Subscribe a listener to every emitter that is created from now on",
    description:
      "Parameters come in the query or in the body; the query takes precedence. A repeated request returns the existing one.",
    errors: ["missing_parameter", "invalid_parameter", "not_found"],
    answer: one("AutoSubscription", "The auto-subscription."),
    query: pair,
    body: pair,
    handle: async ({ runtime, query, body }) =>
      viewAutoSubscription(await runtime.autoSubscribe(readPair(query, body))),
  }),
  route("DELETE /auto_subscriptions", {
    name: "removeAutoSubscription",
    summary: "Delete an auto-subscription; the subscriptions it has made stay",
    errors: ["missing_parameter", "not_found"],
    answer: nothing("Deleted."),
    query: pair,
    body: pair,
    handle: ({ runtime, query, body }) => runtime.removeAutoSubscription(readPair(query, body)),
  }),
  route("GET /users/me/auto_subscriptions", {
    name: "listAutoSubscriptions",
    summary: "List all auto-subscriptions, newest first",
    answer: all("AutoSubscription", "All auto-subscriptions, without pages."),
    async handle({ runtime }) {
      const found = await runtime.autoSubscriptions();
      return found.map(viewAutoSubscription);
    },
  }),
];
