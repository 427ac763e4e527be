import type { AppField } from "@x/runtime";

import { viewApp, viewService } from "@x/resources";
import { type Route, tagged } from "../route.ts";
import { all, nothing, one } from "../route-answer.ts";
import { searchIn, searchItems } from "../list-search.ts";
import { readClient } from "./oauth-client.ts";
import type { CheckedLater, ParameterOf, ParameterSchema } from "../schema.ts";

const route = tagged("Accounts");

/** The slug of an app in a path. */
export const appSlug: ParameterOf<"string"> = {
  type: "string",
  minLength: 1,
  maxLength: 128,
  description: "the slug of an app, as app props name it",
};
const app = appSlug;
// The runtime validates these: schema errors quote the value, and a client's secret must not be shown.
const oauth = {
  description: "the client at the authorization server: an object with client_id",
  shownAs: {
    allOf: [{ $ref: "#/components/schemas/AuthorizationServer" }],
    type: "object",
    properties: {
      client_id: { type: "string" },
      client_secret: { type: "string", description: "Absent for a public client." },
      service: { type: "string", description: "A known service, whose addresses are used where none are given." },
      grant: { type: "string", enum: ["authorization_code", "client_credentials"], default: "authorization_code" },
    },
    required: ["client_id"],
  },
} as const satisfies ParameterSchema;
const fields: CheckedLater<readonly AppField[]> = {
  description: "a list of the app's keys, or of the parts of its addresses",
  shownAs: { type: "array", items: { type: "object" } },
};

/** How accounts of apps are connected. */
export const appRoutes: readonly Route[] = [
  route("GET /users/me/apps", {
    name: "listApps",
    summary: "List apps whose accounts can be connected, by slug",
    answer: all("App", "All apps."),
    query: searchIn("the slug or the URL of the endpoint"),
    handle: async ({ runtime, query }) =>
      searchItems((await runtime.apps()).map(viewApp), query, (each) => [each.app, each.endpoint_url]),
  }),
  route("GET /apps/services", {
    name: "listServices",
    summary: "List services whose addresses are known",
    description: "An app with the slug of one of them, or with its name as `service`, needs a client alone.",
    answer: all("Service", "All services."),
    handle: async ({ runtime }) => (await runtime.services()).map(viewService),
  }),
  route("PUT /apps/:app", {
    name: "putApp",
    summary: "Set how accounts of an app are connected",
    description: [
      "With `oauth` by OAuth 2: with the addresses that are given, those of a known service, or those that the metadata of",
      "`issuer` names. With `fields` alone by keys. Replaces what was set before; the client's secret is encrypted, and no",
      "answer shows it.",
    ].join("\n"),
    errors: ["missing_parameter", "connect_failed"],
    params: { app },
    bodyExample: {
      oauth: {
        client_id: "the-client-id",
        client_secret: "the-secret-of-the-client",
        authorize_url: "https://auth.acme.example/authorize",
        token_url: "https://auth.acme.example/token",
        scopes: ["read"],
      },
    },
    answer: one("App", "The app."),
    body: { oauth, fields },
    async handle({ runtime, params, body }) {
      const given = {
        app: params.app,
        ...(body.oauth !== undefined && { oauth: readClient(body.oauth) }),
        ...(body.fields !== undefined && { fields: body.fields }),
      };
      return viewApp(await runtime.putApp(given));
    },
  }),
  route("DELETE /apps/:app", {
    name: "deleteApp",
    summary: "Remove an app",
    description: "Its accounts stay, but their tokens are no longer renewed.",
    params: { app },
    answer: nothing("Removed."),
    handle: ({ runtime, params }) => runtime.deleteApp(params.app),
  }),
];
