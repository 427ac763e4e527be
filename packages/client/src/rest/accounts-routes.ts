// Written from the OpenAPI document by: vitest run test/client-types.test.ts -u

import type { Account, App, AuthorizationServer, Connection, Service } from "./accounts.ts";
import type { Json } from "../basics.ts";
import type { PageInfo } from "./envelope.ts";

export interface AccountsRoutes {
  /** Store the credentials of an account. */
  readonly "POST /accounts": {
    readonly body: {
      /** The slug of an app, as app props name it. */
      readonly app: string;
      /** A text of 1 to 256 characters, or null. */
      readonly name?: string | null | undefined;
      /** An object with the credentials, of at most 64 KiB of JSON. */
      readonly auth: { readonly [name: string]: Json };
    };
    readonly answer: {
      readonly data: Account;
    };
  };
  /** List accounts, newest first. */
  readonly "GET /users/me/accounts": {
    readonly query?: {
      /** An integer. */
      readonly limit?: number | undefined;
      /** A cursor from page_info. */
      readonly after?: string | undefined;
      /** A cursor from page_info. */
      readonly before?: string | undefined;
      /** Words; each is in the name or the app, or begins the id, in any case. */
      readonly q?: string | undefined;
      /** The slug of an app: only its accounts are listed. */
      readonly app?: string | undefined;
      /** At most 100 ids, separated by commas; not with q, status or app. */
      readonly ids?: string | undefined;
    } | undefined;
    readonly answer: {
      readonly page_info: PageInfo;
      readonly data: readonly Account[];
    };
  };
  /** Replace the credentials or the name of an account. */
  readonly "PUT /accounts/{id}": {
    readonly path: { readonly id: string };
    readonly body?: {
      /** A text of 1 to 256 characters, or null. */
      readonly name?: string | null | undefined;
      /** An object with the credentials, of at most 64 KiB of JSON. */
      readonly auth?: { readonly [name: string]: Json } | undefined;
    } | undefined;
    readonly answer: {
      readonly data: Account;
    };
  };
  /** Delete an account. */
  readonly "DELETE /accounts/{id}": {
    readonly path: { readonly id: string };
    readonly query?: {
      /** "true" or "false" */
      readonly force?: boolean | undefined;
    } | undefined;
    readonly answer: undefined;
  };
  /** List apps whose accounts can be connected, by slug. */
  readonly "GET /users/me/apps": {
    readonly query?: {
      /** Words; each is in the slug or the URL of the endpoint, in any case. */
      readonly q?: string | undefined;
    } | undefined;
    readonly answer: {
      readonly data: readonly App[];
    };
  };
  /** List services whose addresses are known. */
  readonly "GET /apps/services": {
    readonly answer: {
      readonly data: readonly Service[];
    };
  };
  /** Set how accounts of an app are connected. */
  readonly "PUT /apps/{app}": {
    readonly path: { readonly app: string };
    readonly body?: {
      /** The client at the authorization server: an object with client_id. */
      readonly oauth?: AuthorizationServer & {
        readonly client_id: string;
        /** Absent for a public client. */
        readonly client_secret?: string | undefined;
        /** A known service, whose addresses are used where none are given. */
        readonly service?: string | undefined;
        readonly grant?: "authorization_code" | "client_credentials" | undefined;
      } | undefined;
      /** A list of the app's keys, or of the parts of its addresses. */
      readonly fields?: readonly { readonly [name: string]: Json }[] | undefined;
    } | undefined;
    readonly answer: {
      readonly data: App;
    };
  };
  /** Remove an app. */
  readonly "DELETE /apps/{app}": {
    readonly path: { readonly app: string };
    readonly answer: undefined;
  };
  /** Begin to connect an account. */
  readonly "POST /accounts/connect": {
    readonly body?: {
      /** The slug of an app that is set up. */
      readonly app?: string | undefined;
      /** The id of an account that is connected again: it keeps its id. */
      readonly account_id?: string | undefined;
      /** A text of 1 to 256 characters, or null. */
      readonly name?: string | null | undefined;
      /** Values for the fields of the app. */
      readonly fields?: { readonly [name: string]: string } | undefined;
      /** Scopes to ask for, in place of those of the app. */
      readonly scopes?: readonly string[] | undefined;
      /** Where the authorization server sends the browser; default: /oauth/callback under the public URL. */
      readonly redirect_uri?: string | undefined;
      /** True for the device flow (RFC 8628) */
      readonly device?: boolean | undefined;
    } | undefined;
    readonly answer: {
      readonly data: Connection;
    };
  };
  /** Read a connection, or wait until it has ended. */
  readonly "GET /accounts/connect/{id}": {
    readonly path: { readonly id: string };
    readonly query?: {
      /** True: answers when it has ended, at the latest after 20 seconds. */
      readonly wait?: boolean | undefined;
    } | undefined;
    readonly answer: {
      readonly data: Connection;
    };
  };
  /** End a connection with a redirect that another program received. */
  readonly "POST /accounts/connect/complete": {
    readonly body: {
      /** The URL to which the authorization server sent the browser. */
      readonly url: string;
    };
    readonly answer: {
      readonly data: Connection;
    };
  };
}
