import type * as Rest from "@x/client";
import {
  type AccountOAuth,
  type AccountView,
  type AppField,
  type AppView,
  type AuthorizationServer,
  type Connection,
  didYouMean,
  type NewOAuthClient,
  readEach,
  type ServiceView,
  XError,
} from "@x/runtime";

import { excerpt } from "@x/http";
import { seconds } from "./views.ts";

const longestName = 100;

/** Names of the members of a client, and of its server, in requests and answers. */
const memberNames: { readonly [member in keyof Required<NewOAuthClient>]: string } = {
  service: "service",
  grant: "grant",
  clientId: "client_id",
  clientSecret: "client_secret",
  issuer: "issuer",
  authorizeUrl: "authorize_url",
  tokenUrl: "token_url",
  deviceUrl: "device_url",
  revokeUrl: "revoke_url",
  scopes: "scopes",
  scopeSeparator: "scope_separator",
  clientAuth: "client_auth",
  pkce: "pkce",
  issInResponse: "iss_in_response",
  authorizeParams: "authorize_params",
};

/** The same, for any text. */
export const clientNames: { readonly [member: string]: string | undefined } = memberNames;

const membersByName = new Map(Object.entries(memberNames).map(([member, name]) => [name, member]));

/** A member of a client, by its name in requests. Throws `invalid_parameter` for other names, those of the runtime among them. */
function readMember(name: string): string {
  const member = membersByName.get(name);
  if (member !== undefined) return member;
  const names = [...membersByName.keys()];
  const expected = `one of ${names.join(", ")}${didYouMean(name, names)}`;
  const shown = excerpt(name, longestName);
  const problem = { in: "body", path: `/oauth/${shown}`, message: `must be ${expected}` };
  throw new XError("invalid_parameter", [`oauth.${shown}`, expected, "an unknown name"], {
    details: { errors: [problem] },
  });
}

/** The client in a request. The runtime validates the values. */
export function readClient(given: unknown): NewOAuthClient {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return given as NewOAuthClient;
  const members = readEach(
    Object.entries(given).map(
      ([name, value]: [string, unknown]) =>
        () =>
          [readMember(name), value] as const,
    ),
  );
  return Object.fromEntries(Object.values(members)) as unknown as NewOAuthClient;
}

const viewServer = (server: AuthorizationServer) =>
  Object.fromEntries(
    Object.entries(server).map(([member, value]: [string, unknown]) => [
      memberNames[member as keyof AuthorizationServer] ?? member,
      value,
    ]),
  );

const viewField = ({ name, label, secret }: AppField) => ({
  name,
  label: label ?? null,
  secret: secret ?? true,
});

/** How accounts of an app are connected, without secrets. */
export const viewApp = ({ app, oauth, redirectUri, fields, endpointUrl, createdAt, updatedAt }: AppView): Rest.App => ({
  app,
  oauth: oauth && {
    client_id: oauth.clientId,
    has_secret: oauth.hasSecret,
    grant: oauth.grant,
    service: oauth.service,
    server: viewServer(oauth.server),
  },
  redirect_uri: redirectUri,
  fields: fields.map(viewField),
  endpoint_url: endpointUrl,
  created_at: seconds(createdAt),
  updated_at: seconds(updatedAt),
});

/** A service whose addresses are known. */
export const viewService = ({ server, fields, ...service }: ServiceView): Rest.Service => ({
  ...service,
  server: viewServer(server),
  fields: fields.map(viewField),
});

/** An attempt to connect an account. */
export const viewConnection = (connection: Connection): Rest.Connection => ({
  id: connection.id,
  app: connection.app,
  status: connection.status,
  authorize_url: connection.authorizeUrl,
  redirect_uri: connection.redirectUri,
  user_code: connection.userCode,
  expires_at: seconds(connection.expiresAt),
  account_id: connection.accountId,
  error: connection.error,
});

/** What is known of the tokens of an account. */
const viewTokens = ({ grant, scopes, expiresAt, failure }: AccountOAuth) => ({
  grant,
  scopes,
  expires_at: expiresAt === null ? null : seconds(expiresAt),
  problem: failure
    ? { code: failure.code, message: failure.message, at: seconds(failure.at), reconnect: failure.final }
    : null,
});

/** An account, without its credentials. Only one with tokens of an authorization server has `oauth`. */
export const viewAccount = ({ id, app, name, createdAt, updatedAt, oauth }: AccountView): Rest.Account => ({
  id,
  app,
  name,
  created_at: seconds(createdAt),
  updated_at: seconds(updatedAt),
  ...(oauth && { oauth: viewTokens(oauth) }),
});
