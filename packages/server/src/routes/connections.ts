import { viewConnection } from "@x/resources";
import { type Route, tagged } from "../route.ts";
import { renamed } from "../renamed.ts";
import { one } from "../route-answer.ts";
import type { CheckedLater, ParameterSchema } from "../schema.ts";
import { flagParameter } from "./parameters.ts";

const route = tagged("Accounts");

const app = {
  type: "string",
  minLength: 1,
  maxLength: 128,
  description: "the slug of an app that is set up",
} as const satisfies ParameterSchema;
const accountId = {
  type: "string",
  maxLength: 64,
  description: "the id of an account that is connected again: it keeps its id",
} as const satisfies ParameterSchema;
// The runtime validates these: schema errors quote the value.
const name: CheckedLater<string | null> = {
  description: "a text of 1 to 256 characters, or null",
  shownAs: { type: ["string", "null"], minLength: 1, maxLength: 256 },
};
const fields: CheckedLater<{ readonly [field: string]: string }> = {
  description: "values for the fields of the app",
  shownAs: { type: "object", additionalProperties: { type: "string" } },
};
const scopes: CheckedLater<readonly string[]> = {
  description: "scopes to ask for, in place of those of the app",
  shownAs: { type: "array", items: { type: "string" } },
};
const redirectUri = {
  type: "string",
  maxLength: 2_048,
  description: "where the authorization server sends the browser; default: /oauth/callback under the public URL",
} as const satisfies ParameterSchema;
const device = {
  type: "boolean",
  description: "true for the device flow (RFC 8628)",
} as const satisfies ParameterSchema;
const url: CheckedLater<string> = {
  description: "the URL to which the authorization server sent the browser",
  shownAs: { type: "string" },
};

/** Attempts to connect accounts. */
export const connectionRoutes: readonly Route[] = [
  route("POST /accounts/connect", {
    name: "connectAccount",
    summary: "Begin to connect an account",
    description: [
      "By OAuth 2 (authorization code with PKCE) the person opens `authorize_url` and agrees; the authorization server then sends",
      "the browser to `/oauth/callback` of this service, or to `redirect_uri`. With `device` the person types `user_code` in",
      "there. Clients with rights of their own, and apps with keys, are connected at once.",
    ].join("\n"),
    errors: ["missing_parameter", "not_found", "connect_failed"],
    bodyExample: { app: "acme", name: "Work" },
    answer: one("Connection", "The connection."),
    body: { app, account_id: accountId, name, fields, scopes, redirect_uri: redirectUri, device },
    handle: async ({ runtime, body }) => viewConnection(await runtime.connectAccount(renamed(body))),
  }),
  route("GET /accounts/connect/:id", {
    name: "getConnection",
    summary: "Read a connection, or wait until it has ended",
    answer: one("Connection", "The connection."),
    query: {
      wait: { ...flagParameter, description: "true: answers when it has ended, at the latest after 20 seconds" },
    },
    handle: async ({ runtime, params, query }) =>
      viewConnection(await runtime.connection(params.id, { wait: query.wait === "true" })),
  }),
  route("POST /accounts/connect/complete", {
    name: "completeConnection",
    summary: "End a connection with a redirect that another program received",
    description: [
      "For a `redirect_uri` that is not of this service. The URL has the `state` of a connection that this user began; it works",
      "once.",
    ].join("\n"),
    errors: ["not_found", "connect_failed"],
    bodyExample: { url: "http://127.0.0.1:8976/callback?code=the-code&state=the-state" },
    answer: one("Connection", "The connection, with its account."),
    body: { url },
    required: ["url"],
    handle: async ({ runtime, body }) => viewConnection(await runtime.completeConnection(body.url)),
  }),
];
