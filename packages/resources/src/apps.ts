import type * as Rest from "@x/client";
import type { AppField, AppView, AuthorizationServer, ServiceView } from "@x/runtime";

import { record, type Schema, schemaRef, seconds, text, textOrNull, texts } from "./shapes.ts";
import { snake, viewBy } from "./view.ts";

const server = {
  issuer: text("As the server names itself."),
  authorize_url: { type: "string" },
  token_url: { type: "string" },
  device_url: text("Device flow (RFC 8628)."),
  revoke_url: text("Revocation (RFC 7009)."),
  scopes: texts,
  scope_separator: text("Default: a space."),
  client_auth: { type: "string", enum: ["basic", "post", "none"] },
  pkce: { type: "boolean", description: "Default true." },
  iss_in_response: { type: "boolean", description: "The server names itself in each response (RFC 9207)." },
  authorize_params: { type: "object", additionalProperties: { type: "string" } },
};
/** Names of the members of an authorization server. */
export const serverNames: readonly string[] = Object.keys(server);
const serverExample = {
  authorize_url: "https://auth.acme.example/authorize",
  token_url: "https://auth.acme.example/token",
  scopes: ["read"],
};
const clientExample = {
  client_id: "the-client-id",
  has_secret: true,
  grant: "authorization_code",
  service: null,
  server: serverExample,
};
const grant: Schema = { type: "string", enum: ["authorization_code", "client_credentials"] };

/** Schemas of apps and of known services, by name. */
export const appSchemas: Readonly<
  Record<"App" | "AppClient" | "AppField" | "AuthorizationServer" | "Service", Schema>
> = {
  App: {
    ...record({
      app: text("Slug, as in app props."),
      oauth: { oneOf: [{ type: "null" }, schemaRef("AppClient")] },
      redirect_uri: textOrNull("Where the authorization server sends browsers by default: to be registered there."),
      fields: { type: "array", items: schemaRef("AppField") },
      endpoint_url: textOrNull("The URL that its service calls with events; null without an endpoint."),
      created_at: seconds,
      updated_at: seconds,
    }),
    description: "How accounts of an app are connected. `oauth` is null for an app with keys alone.",
    examples: [
      {
        app: "acme",
        oauth: clientExample,
        redirect_uri: "https://events.example/oauth/callback",
        fields: [],
        endpoint_url: null,
        created_at: 1_795_200_000,
        updated_at: 1_795_200_000,
      },
    ],
  },
  AppClient: {
    ...record({
      client_id: { type: "string" },
      has_secret: { type: "boolean", description: "The secret itself is never shown." },
      grant,
      service: textOrNull("A known service."),
      server: schemaRef("AuthorizationServer"),
    }),
    examples: [clientExample],
  },
  AppField: {
    ...record({
      name: text("The field of `$auth`."),
      label: textOrNull("What a form shows."),
      secret: { type: "boolean" },
    }),
    examples: [{ name: "api_key", label: "API key", secret: true }],
  },
  AuthorizationServer: { ...record(server, serverNames), examples: [serverExample] },
  Service: {
    ...record({
      name: { type: "string" },
      label: { type: "string" },
      apps: { ...texts, description: "Slugs of apps that it serves, besides its name." },
      server: schemaRef("AuthorizationServer"),
      fields: { type: "array", items: schemaRef("AppField") },
      docs: text("The page that documents it."),
      note: textOrNull("What a person has to know."),
    }),
    description: "A service whose addresses are known.",
    examples: [
      {
        name: "acme",
        label: "Acme",
        apps: ["acme_sheets"],
        server: serverExample,
        fields: [],
        docs: "https://docs.acme.example/oauth",
        note: null,
      },
    ],
  },
};

const viewServer = (server: AuthorizationServer) =>
  Object.fromEntries(Object.entries(server).map(([member, value]: [string, unknown]) => [snake(member), value]));

const viewField = ({ name, label, secret }: AppField) => ({
  name,
  label: label ?? null,
  secret: secret ?? true,
});

const appView = viewBy<Rest.App, "oauth" | "fields">(appSchemas.App);

/** How accounts of an app are connected, without secrets. */
export const viewApp = (app: AppView): Rest.App =>
  appView(app, {
    oauth: app.oauth && {
      client_id: app.oauth.clientId,
      has_secret: app.oauth.hasSecret,
      grant: app.oauth.grant,
      service: app.oauth.service,
      server: viewServer(app.oauth.server),
    },
    fields: app.fields.map(viewField),
  });

/** A service whose addresses are known. */
export const viewService = ({ server, fields, ...service }: ServiceView): Rest.Service => ({
  ...service,
  server: viewServer(server),
  fields: fields.map(viewField),
});
