import type { SubscriptionInput } from "@x/runtime";

import { emptyAnswer, jsonAnswer } from "@x/http";
import { viewAutoSubscription, viewSubscription, allOf, dataOf } from "@x/resources";
import { defineRoute, type Route } from "../route.ts";
import type { ParameterSchema } from "../schema.ts";
import { mergeParameters, requireParameters } from "./parameters.ts";

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

const tag = "Subscriptions";

function readTriple(query: Given, body: Given): SubscriptionInput {
  const given = mergeParameters(query, body);
  requireParameters(given, { emitter_id, listener_id });
  return {
    emitterId: given.emitter_id,
    listenerId: given.listener_id,
    ...(given.event_name !== undefined && { eventName: given.event_name }),
  };
}

function readPair(query: Given, body: Given): { eventName: string; listenerId: string } {
  const given = mergeParameters(query, body);
  requireParameters(given, pair);
  return { eventName: given.event_name, listenerId: given.listener_id };
}

/** Subscriptions of listeners to emitters. */
export const subscriptionRoutes: readonly Route[] = [
  defineRoute({
    name: "subscribe",
    tag,
    method: "POST",
    path: "/subscriptions",
    summary: "Send events of an emitter to a listener",
    description:
      "Parameters come in the query or in the body; the query takes precedence. A repeated request returns the existing one.",
    errors: ["missing_parameter", "invalid_parameter", "not_found"],
    answer: { status: 200, description: "The subscription.", schema: dataOf("Subscription") },
    query: triple,
    body: triple,
    async handle({ runtime, query, body, resource }) {
      return resource(200, viewSubscription(await runtime.subscribe(readTriple(query, body))));
    },
  }),
  defineRoute({
    name: "unsubscribe",
    tag,
    method: "DELETE",
    path: "/subscriptions",
    summary: "Delete a subscription",
    description: "`event_name` is required, as it was given; empty for a subscription without one.",
    errors: ["missing_parameter", "not_found"],
    answer: { status: 204, description: "Deleted." },
    query: triple,
    body: triple,
    async handle({ runtime, query, body }) {
      requireParameters(mergeParameters(query, body), triple);
      await runtime.unsubscribe(readTriple(query, body));
      return emptyAnswer;
    },
  }),
  defineRoute({
    name: "listSubscriptions",
    tag,
    method: "GET",
    path: "/users/me/subscriptions",
    summary: "List all subscriptions, newest first",
    answer: { status: 200, description: "All subscriptions, without pages.", schema: allOf("Subscription") },
    async handle({ runtime, select }) {
      const found = await runtime.subscriptions();
      return jsonAnswer(200, { data: found.map((each) => select(viewSubscription(each))) });
    },
  }),
  defineRoute({
    name: "autoSubscribe",
    tag,
    method: "POST",
    path: "/auto_subscriptions",
    summary: "Subscribe a listener to every emitter that is created from now on",
    description:
      "Parameters come in the query or in the body; the query takes precedence. A repeated request returns the existing one.",
    errors: ["missing_parameter", "invalid_parameter", "not_found"],
    answer: { status: 200, description: "The auto-subscription.", schema: dataOf("AutoSubscription") },
    query: pair,
    body: pair,
    async handle({ runtime, query, body, resource }) {
      return resource(200, viewAutoSubscription(await runtime.autoSubscribe(readPair(query, body))));
    },
  }),
  defineRoute({
    name: "removeAutoSubscription",
    tag,
    method: "DELETE",
    path: "/auto_subscriptions",
    summary: "Delete an auto-subscription; the subscriptions it has made stay",
    errors: ["missing_parameter", "not_found"],
    answer: { status: 204, description: "Deleted." },
    query: pair,
    body: pair,
    async handle({ runtime, query, body }) {
      await runtime.removeAutoSubscription(readPair(query, body));
      return emptyAnswer;
    },
  }),
  defineRoute({
    name: "listAutoSubscriptions",
    tag,
    method: "GET",
    path: "/users/me/auto_subscriptions",
    summary: "List all auto-subscriptions, newest first",
    answer: {
      status: 200,
      description: "All auto-subscriptions, without pages.",
      schema: allOf("AutoSubscription"),
    },
    async handle({ runtime, select }) {
      const found = await runtime.autoSubscriptions();
      return jsonAnswer(200, { data: found.map((each) => select(viewAutoSubscription(each))) });
    },
  }),
];
