import type * as Rest from "@x/client";
import type { AppEndpointDetail, AppEndpointView, AppEventResult, RequestEntry } from "@x/runtime";

import { record, type Schema, schemaRef, seconds, text, textOrNull, texts, whole } from "./shapes.ts";
import { viewBy } from "./view.ts";

const endpoint = {
  app: text("Slug, as in app props."),
  endpoint_url: text("The URL that the service calls."),
  service: textOrNull("The service whose scheme and reader are built in."),
  scheme: text("How its requests prove who sent them; `none`: they do not."),
  parameters: { type: "object", description: "Of the scheme, by their names." },
  secrets: whole("How many there are. They are never shown."),
  reader: text("The service that is read, or `custom`."),
  all_users: { type: "boolean", description: "True when it addresses accounts of all users." },
  sources: whole("How many sources listen."),
  steps: { ...texts, description: "Where the URL is entered at the service, a sentence each." },
  created_at: seconds,
  updated_at: seconds,
} satisfies Readonly<Record<string, Schema>>;

const endpointExample = {
  app: "slack",
  endpoint_url: "https://events.example/in/4q0c6t0v3m9x1b7k2z8d5f6g7h8j",
  service: "slack",
  scheme: "slack",
  parameters: {},
  secrets: 1,
  reader: "slack",
  all_users: false,
  sources: 1,
  steps: ["Event Subscriptions: turn it on, and paste the URL as Request URL."],
  created_at: 1_795_200_000,
  updated_at: 1_795_200_000,
};

const requestExample = {
  at: 1_795_200_000_123,
  outcome: "delivered",
  reason: null,
  names: ["message", "message.channels", "C1", "message:C1"],
  event_id: "Ev1",
  triggers: 1,
  skipped: 0,
  duration_ms: 3,
};

/** Schemas of the endpoints of apps, and of their events. */
export const appEventSchemas: Readonly<
  Record<
    "AppEndpoint" | "AppEndpointDetail" | "AppListener" | "UnknownAccount" | "ReceivedRequest" | "AppEventResult",
    Schema
  >
> = {
  AppEndpoint: {
    ...record(endpoint),
    description: "The one URL that the service of an app calls.",
    examples: [endpointExample],
  },
  AppEndpointDetail: {
    ...record({
      ...endpoint,
      listeners: { type: "array", items: schemaRef("AppListener"), description: "At most 100." },
      unknown_accounts: { type: "array", items: schemaRef("UnknownAccount") },
      recent: { type: "array", items: schemaRef("ReceivedRequest"), description: "The last requests, newest first." },
    }),
    description: "An endpoint with who listens and what it received.",
    examples: [
      {
        ...endpointExample,
        listeners: [
          {
            source_id: "dc_7yhGk2Wq",
            prop: "slackApphook",
            event_names: ["C1"],
            account_id: "apn_4kQm81ZtRb",
            active: true,
          },
        ],
        unknown_accounts: [],
        recent: [requestExample],
      },
    ],
  },
  AppListener: {
    ...record({
      source_id: { type: "string" },
      prop: text("The prop that listens."),
      event_names: { ...texts, description: "None: every event." },
      account_id: textOrNull("Null without an account: no event is for the source then."),
      active: { type: "boolean" },
    }),
    description: "A source that listens to events of an app.",
    examples: [
      { source_id: "dc_7yhGk2Wq", prop: "slackApphook", event_names: [], account_id: "apn_4kQm81ZtRb", active: true },
    ],
  },
  UnknownAccount: {
    ...record({
      id: { type: "string" },
      fields: { ...texts, description: "Fields of `$auth`; one of them has to be set." },
    }),
    description: "An account that no event can be addressed to.",
    examples: [{ id: "apn_4kQm81ZtRb", fields: ["team_id"] }],
  },
  ReceivedRequest: {
    ...record({
      at: whole("Epoch milliseconds."),
      outcome: {
        type: "string",
        enum: ["delivered", "duplicate", "unmatched", "challenge", "rejected", "unreadable", "failed"],
      },
      reason: textOrNull("Why it was refused, or reached no source."),
      names: { ...texts, description: "Names of its events, at most 16." },
      event_id: textOrNull("Of its first event with an id."),
      triggers: whole("How many runs it led to."),
      skipped: whole("How many runs full inboxes did not take."),
      duration_ms: whole("Until it was stored."),
    }),
    description: "How a request to an endpoint ended.",
    examples: [requestExample],
  },
  AppEventResult: {
    ...record({
      id: textOrNull("Null for an event without one."),
      duplicate: { type: "boolean" },
      sources: { ...texts, description: "Ids of the sources that get it." },
    }),
    description: "What became of an event.",
    examples: [{ id: "m1", duplicate: false, sources: ["dc_7yhGk2Wq"] }],
  },
};

export const viewAppEndpoint: (endpoint: AppEndpointView) => Rest.AppEndpoint = viewBy<Rest.AppEndpoint>(
  appEventSchemas.AppEndpoint,
);

export const viewRequest: (entry: RequestEntry) => Rest.ReceivedRequest = viewBy<Rest.ReceivedRequest>(
  appEventSchemas.ReceivedRequest,
);

export const viewAppEvent: (result: AppEventResult) => Rest.AppEventResult = viewBy<Rest.AppEventResult>(
  appEventSchemas.AppEventResult,
);

const listenerView = viewBy<Rest.AppListener, "event_names">(appEventSchemas.AppListener);

export const viewAppEndpointDetail = (endpoint: AppEndpointDetail): Rest.AppEndpointDetail => ({
  ...viewAppEndpoint(endpoint),
  listeners: endpoint.listeners.map((listener) => listenerView(listener, { event_names: listener.names })),
  unknown_accounts: endpoint.unknownAccounts,
  recent: endpoint.recent.map(viewRequest),
});
