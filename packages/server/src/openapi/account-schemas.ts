import type { Schema } from "../route.ts";
import { record, schemaRef } from "./shapes.ts";

const text = (description: string): Schema => ({ type: "string", description });
const textOrNull = (description: string): Schema => ({ type: ["string", "null"], description });
const whole = (description: string): Schema => ({ type: "integer", description });
const texts: Schema = { type: "array", items: { type: "string" } };

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

/** Schemas of accounts and of what connects them, by name. */
export const accountSchemas: Readonly<Record<string, Schema>> = {
  Account: {
    ...record(
      {
        id: text("Starts with `apn_`: the `authProvisionId` of app props."),
        app: text("Slug of the app."),
        name: textOrNull("Null when none was given."),
        created_at: whole("Epoch seconds."),
        updated_at: whole("Epoch seconds."),
        oauth: schemaRef("AccountTokens"),
      },
      ["oauth"],
    ),
    examples: [
      { id: "apn_4kQm81ZtRb", app: "acme", name: "Work", created_at: 1_795_200_000, updated_at: 1_795_200_000 },
    ],
  },
  AccountTokens: {
    ...record({
      grant: { type: "string", enum: ["authorization_code", "client_credentials", "device_code"] },
      scopes: texts,
      expires_at: {
        type: ["integer", "null"],
        description: "Epoch seconds of the access token; null: it does not expire.",
      },
      problem: { oneOf: [{ type: "null" }, schemaRef("AccountProblem")] },
    }),
    description: "What is known of the tokens of an authorization server.",
    examples: [{ grant: "authorization_code", scopes: ["read"], expires_at: 1_795_203_600, problem: null }],
  },
  AccountProblem: {
    ...record({
      code: text("The error of the server, such as `invalid_grant`."),
      message: { type: "string" },
      at: whole("Epoch seconds."),
      reconnect: { type: "boolean", description: "True when the account has to be connected again." },
    }),
    description: "Why the token could not be renewed.",
    examples: [
      { code: "invalid_grant", message: "the server answered invalid_grant", at: 1_795_203_600, reconnect: true },
    ],
  },
  App: {
    ...record({
      app: text("Slug, as in app props."),
      oauth: { oneOf: [{ type: "null" }, schemaRef("AppClient")] },
      redirect_uri: textOrNull("Where the authorization server sends browsers by default: to be registered there."),
      fields: { type: "array", items: schemaRef("AppField") },
      endpoint_url: textOrNull("The URL that its service calls with events; null without an endpoint."),
      created_at: whole("Epoch seconds."),
      updated_at: whole("Epoch seconds."),
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
  AuthorizationServer: { ...record(server, Object.keys(server)), examples: [serverExample] },
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
  Connection: {
    ...record({
      id: text("Starts with `con_`."),
      app: { type: "string" },
      status: { type: "string", enum: ["pending", "connected", "failed"] },
      authorize_url: textOrNull("Where the person agrees. Null when no person is needed."),
      redirect_uri: textOrNull("Where the authorization server sends the browser."),
      user_code: textOrNull("The code to type in, in the device flow."),
      expires_at: whole("Epoch seconds."),
      account_id: textOrNull("When it is connected."),
      error: textOrNull("Why it failed."),
    }),
    description: "One attempt to connect an account; it is forgotten after some minutes, and at a restart.",
    examples: [
      {
        id: "con_8dKq21LmXz",
        app: "acme",
        status: "pending",
        authorize_url: "https://auth.acme.example/authorize?response_type=code&client_id=the-client-id",
        redirect_uri: "https://events.example/oauth/callback",
        user_code: null,
        expires_at: 1_795_200_600,
        account_id: null,
        error: null,
      },
    ],
  },
};
