import type { ConnectInput } from "@x/runtime";

import { viewConnection, dataOf } from "@x/resources";
import { defineRoute, type Route } from "../route.ts";
import type { CheckedLater, ParameterSchema } from "../schema.ts";
import { flagParameter } from "./parameters.ts";

interface ConnectBody {
  readonly app?: string;
  readonly account_id?: string;
  readonly name?: string | null;
  readonly fields?: { readonly [field: string]: string };
  readonly scopes?: readonly string[];
  readonly redirect_uri?: string;
  readonly device?: boolean;
}

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

const tag = "Accounts";

function readConnect(body: ConnectBody): ConnectInput {
  const { account_id: accountId, redirect_uri: redirectUri } = body;
  return {
    ...(body.app !== undefined && { app: body.app }),
    ...(accountId !== undefined && { accountId }),
    ...(body.name !== undefined && { name: body.name }),
    ...(body.fields !== undefined && { fields: body.fields }),
    ...(body.scopes !== undefined && { scopes: body.scopes }),
    ...(redirectUri !== undefined && { redirectUri }),
    ...(body.device !== undefined && { device: body.device }),
  };
}

/** Attempts to connect accounts. */
export const connectionRoutes: readonly Route[] = [
  defineRoute({
    name: "connectAccount",
    tag,
    method: "POST",
    path: "/accounts/connect",
    summary: "Begin to connect an account",
    description: [
      "By OAuth 2 (authorization code with PKCE) the person opens `authorize_url` and agrees; the authorization server then sends",
      "the browser to `/oauth/callback` of this service, or to `redirect_uri`. With `device` the person types `user_code` in",
      "there. Clients with rights of their own, and apps with keys, are connected at once.",
    ].join("\n"),
    errors: ["missing_parameter", "not_found", "connect_failed"],
    bodyExample: { app: "acme", name: "Work" },
    answer: { status: 200, description: "The connection.", schema: dataOf("Connection") },
    body: { app, account_id: accountId, name, fields, scopes, redirect_uri: redirectUri, device },
    async handle({ runtime, body, resource }) {
      return resource(200, viewConnection(await runtime.connectAccount(readConnect(body))));
    },
  }),
  defineRoute({
    name: "getConnection",
    tag,
    method: "GET",
    path: "/accounts/connect/:id",
    summary: "Read a connection, or wait until it has ended",
    answer: { status: 200, description: "The connection.", schema: dataOf("Connection") },
    query: {
      wait: { ...flagParameter, description: "true: answers when it has ended, at the latest after 20 seconds" },
    },
    async handle({ runtime, params, query, resource }) {
      return resource(200, viewConnection(await runtime.connection(params.id, { wait: query.wait === "true" })));
    },
  }),
  defineRoute({
    name: "completeConnection",
    tag,
    method: "POST",
    path: "/accounts/connect/complete",
    summary: "End a connection with a redirect that another program received",
    description: [
      "For a `redirect_uri` that is not of this service. The URL has the `state` of a connection that this user began; it works",
      "once.",
    ].join("\n"),
    errors: ["not_found", "connect_failed"],
    bodyExample: { url: "http://127.0.0.1:8976/callback?code=the-code&state=the-state" },
    answer: { status: 200, description: "The connection, with its account.", schema: dataOf("Connection") },
    body: { url },
    required: ["url"],
    async handle({ runtime, body, resource }) {
      return resource(200, viewConnection(await runtime.completeConnection(body.url)));
    },
  }),
];
