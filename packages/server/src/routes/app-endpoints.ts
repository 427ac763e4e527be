import type { AppEndpointInput, AppEventInput } from "@x/runtime";

import { viewAppEndpoint, viewAppEndpointDetail, viewAppEvent, viewRequest } from "@x/resources";
import { type Route, tagged } from "../route.ts";
import { all, nothing, one } from "../route-answer.ts";
import type { CheckedLater, ParameterSchema } from "../schema.ts";
import { appSlug as app } from "./apps.ts";

const route = tagged("Apps");

/** The runtime validates it: schema errors quote the value, which may be a secret. */
const later = <Value>(description: string, type: string): CheckedLater<Value> => ({ description, shownAs: { type } });

/** Parameters of schemes, by the names of the runtime. */
const schemeParameters = {
  header: later<string>("the header of the signature or the token", "string"),
  query: later<string>("the query parameter of the token", "string"),
  prefix: later<string>("what stands before the signature, such as sha256=", "string"),
  algorithm: later<string>("hash: sha1, sha256 or sha512", "string"),
  encoding: later<string>("of the signature: hex or base64", "string"),
  signed: later<string>("the signed text, such as {t}.{body}", "string"),
  timestamp: later<string>("the header of the time; with item, its name in the list", "string"),
  unit: later<string>("unit of the time: s or ms", "string"),
  tolerance: later<number>("most seconds between the time and now", "integer"),
  item: later<string>("the name of the signature in a list such as t=1,v1=…", "string"),
  challenge: later<string>("the query parameter that a GET wants back, or hub", "string"),
  verify_token: later<string>("what hub.verify_token must be", "string"),
};

const secret = {
  description: 'a secret, a list of one to four, or {"__secret": true} for the stored ones',
  shownAs: {
    oneOf: [{ type: "string" }, { type: "array", items: {} }, { type: "object" }],
    description: 'A secret, a list of one to four, or {"__secret": true} for the stored ones.',
  },
} as const satisfies ParameterSchema;

const events: CheckedLater<readonly AppEventInput[]> = {
  description: "a list of at most 1,000 events",
  shownAs: {
    type: "array",
    items: {
      type: "object",
      properties: {
        id: { type: "string", description: "The same id within a day is a duplicate." },
        names: { type: "array", items: { type: "string" }, description: "At most 16." },
        accounts: {
          type: "array",
          items: { type: "object", additionalProperties: { type: "string" } },
          description: 'Parts of `$auth`, such as {"team_id": "T1"}. None: all accounts of the app.',
        },
        data: { description: "The event that `run` gets." },
      },
      required: ["data"],
    },
  },
};

/** The endpoints of apps, and events that come another way. */
export const appEndpointRoutes: readonly Route[] = [
  route("PUT /apps/:app/endpoint", {
    name: "putAppEndpoint",
    summary: "Set the endpoint of an app",
    description: [
      "The one URL that the app's service calls. `service` has a scheme and a reader; `scheme` replaces the scheme, and `code`, a",
      "module with `receive`, the reader. Replaces what was set before; the URL stays. Secrets are encrypted, and no answer shows",
      "them.",
    ].join("\n"),
    errors: ["bundle_failed", "invalid_component", "package_unresolved"],
    params: { app },
    bodyExample: { service: "slack", secret: "8f742231b10e8888abcd99" },
    body: {
      service: later<string>("a service whose scheme and reader are built in", "string"),
      scheme: later<string>("a row of the table of schemes, or hmac, token, basic or none", "string"),
      secret,
      code: { type: "string", maxLength: 262_144, description: "the code of a reader" },
      all_users: { type: "boolean", description: "true or false" },
      ...schemeParameters,
    },
    answer: one("AppEndpoint", "The endpoint."),
    async handle({ runtime, params, body }) {
      const { all_users: allUsers, ...given } = body;
      const input = { ...given, app: params.app, ...(allUsers !== undefined && { allUsers }) } as AppEndpointInput;
      return viewAppEndpoint(await runtime.putAppEndpoint(input));
    },
  }),
  route("GET /apps/:app/endpoint", {
    name: "getAppEndpoint",
    summary: "Get the endpoint of an app, who listens, and how its last requests ended",
    params: { app },
    answer: one("AppEndpointDetail", "The endpoint."),
    handle: async ({ runtime, params }) => viewAppEndpointDetail(await runtime.appEndpoint(params.app)),
  }),
  route("DELETE /apps/:app/endpoint", {
    name: "deleteAppEndpoint",
    summary: "Remove the endpoint of an app",
    description: "Its URL answers 404 at once.",
    params: { app },
    answer: nothing("Removed."),
    handle: ({ runtime, params }) => runtime.deleteAppEndpoint(params.app),
  }),
  route("POST /apps/:app/endpoint/rotate", {
    name: "rotateAppEndpoint",
    summary: "Give the endpoint of an app another URL",
    description: "The old URL answers 404 at once.",
    params: { app },
    answer: one("AppEndpoint", "The endpoint."),
    handle: async ({ runtime, params }) => viewAppEndpoint(await runtime.rotateAppEndpoint(params.app)),
  }),
  route("POST /apps/:app/events", {
    name: "sendAppEvents",
    summary: "Send events of an app to the sources that listen",
    description: [
      "The same as a request of its service, without an endpoint: for bridges, tests and repeats. All of it is stored when the",
      "answer comes. An `id` that the app has seen within a day is a duplicate, unless `force` is true.",
    ].join("\n"),
    errors: ["queue_full"],
    params: { app },
    bodyExample: {
      events: [{ id: "m1", names: ["C9"], accounts: [{ guild_id: "G1" }], data: { id: "m1", content: "hi" } }],
    },
    body: { events, force: { type: "boolean", description: "true or false" } },
    required: ["events"],
    answer: all("AppEventResult", "What became of each event."),
    async handle({ runtime, params, body }) {
      const { events: given, force = false } = body;
      const results = await runtime.appEvents(params.app, given, { force });
      return results.map(viewAppEvent);
    },
  }),
  route("GET /sources/:id/requests", {
    name: "listSourceRequests",
    summary: "List how the last requests to the verified endpoints of a source ended",
    answer: all("ReceivedRequest", "Newest first."),
    handle: async ({ runtime, params }) => (await runtime.sourceRequests(params.id)).map(viewRequest),
  }),
];
