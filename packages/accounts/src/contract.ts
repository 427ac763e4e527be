import type { Account, AppField, AuthorizationServer, Json, ListFilter, OAuthClient, OAuthGrant } from "@x/model";

/** Credentials for the app props of the user's sources. */
export interface NewAccount {
  /** Slug of the app, as in `app` props. */
  readonly app: string;
  readonly name?: string | null;
  /** Credentials that components read as `$auth`; `{}` for apps without credentials. */
  readonly auth: { readonly [field: string]: Json };
}

/** Absent fields stay unchanged. */
export type AccountChange = Partial<Omit<NewAccount, "app">>;

/** Which accounts are wanted. */
export interface AccountFilter extends ListFilter {
  readonly app?: string;
}

/** An account without its credentials, which are never shown. */
export type AccountView = Omit<Account, "auth">;

/** Returns the credentials of an app prop for `$auth`: an object, or a promise of one. */
export type AccountsCallback = (request: { app: string; id: string }) => unknown;

/** A client at an authorization server, as it is registered there. */
export interface NewOAuthClient extends OAuthClient {
  /** Absent or empty for a public client. */
  readonly clientSecret?: string;
}

/** How accounts of an app are connected. Replaces what was set before. */
export interface NewApp {
  /** Slug, as in app props. */
  readonly app: string;
  /**
   * For an app with OAuth 2. Without addresses those of the known service are used, or those that the metadata of `issuer`
   * names.
   */
  readonly oauth?: NewOAuthClient;
  /** The keys of an app without OAuth 2: fields of `$auth`. With OAuth 2, the parts of its addresses; default: those in braces. */
  readonly fields?: readonly AppField[];
}

/** The client of an app without its secret, which is never shown. */
export interface OAuthClientView {
  readonly clientId: string;
  readonly hasSecret: boolean;
  readonly grant: OAuthGrant;
  /** A known service, whose addresses are used where none were given. */
  readonly service: string | null;
  /** With the addresses of the known service. */
  readonly server: AuthorizationServer;
}

/** How accounts of an app are connected. */
export interface AppView {
  /** Slug. */
  readonly app: string;
  /** Null for an app with keys alone. */
  readonly oauth: OAuthClientView | null;
  /** Where the authorization server sends browsers by default: to be registered there. Null when no person is asked. */
  readonly redirectUri: string | null;
  readonly fields: readonly AppField[];
  /** The URL that its service calls with events; null without an endpoint. */
  readonly endpointUrl: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A service whose addresses are known. */
export interface ServiceView {
  readonly name: string;
  readonly label: string;
  /** Slugs of the apps that it serves, besides its name. */
  readonly apps: readonly string[];
  readonly server: AuthorizationServer;
  readonly fields: readonly AppField[];
  readonly docs: string;
  readonly note: string | null;
}

/** What to connect. */
export interface ConnectInput {
  /** Slug of an app. Not needed with `accountId`. */
  readonly app?: string;
  /** Connects this account again: it keeps its id, and sources that use it. */
  readonly accountId?: string;
  /** Name of the account. */
  readonly name?: string | null;
  /** Values for the fields of the app. */
  readonly fields?: { readonly [field: string]: string };
  /** Scopes to ask for. Default: those of the app. */
  readonly scopes?: readonly string[];
  /**
   * Where the authorization server sends the browser: a URL of this service, of a program on the person's machine, or any that
   * calls `completeConnection`. Default: `/oauth/callback` under the public URL.
   */
  readonly redirectUri?: string;
  /** Device flow (RFC 8628): the person types a code in, and no redirect is needed. Default false. */
  readonly device?: boolean;
}

/** One attempt to connect an account. It is held in memory, for some minutes. */
export interface Connection {
  /** `con_` id. */
  readonly id: string;
  readonly app: string;
  readonly status: "pending" | "connected" | "failed";
  /** Where the person agrees; null when no person is needed. */
  readonly authorizeUrl: string | null;
  readonly redirectUri: string | null;
  /** The code to type in at `authorizeUrl`, in the device flow. */
  readonly userCode: string | null;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  /** When it is connected. */
  readonly accountId: string | null;
  /** Why it failed. */
  readonly error: string | null;
}
