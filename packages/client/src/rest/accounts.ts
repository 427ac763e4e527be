// Written from the OpenAPI document by: vitest run test/client-types.test.ts -u

export interface Account {
  /** Starts with `apn_`: the `authProvisionId` of app props. */
  readonly id: string;
  /** Slug of the app. */
  readonly app: string;
  /** Null when none was given. */
  readonly name: string | null;
  /** Epoch seconds. */
  readonly created_at: number;
  /** Epoch seconds. */
  readonly updated_at: number;
  readonly oauth?: AccountTokens;
}

/** Why the token could not be renewed. */
export interface AccountProblem {
  /** The error of the server, such as `invalid_grant`. */
  readonly code: string;
  readonly message: string;
  /** Epoch seconds. */
  readonly at: number;
  /** True when the account has to be connected again. */
  readonly reconnect: boolean;
}

/** What is known of the tokens of an authorization server. */
export interface AccountTokens {
  readonly grant: "authorization_code" | "client_credentials" | "device_code";
  readonly scopes: readonly string[];
  /** Epoch seconds of the access token; null: it does not expire. */
  readonly expires_at: number | null;
  readonly problem: null | AccountProblem;
}

/** How accounts of an app are connected. `oauth` is null for an app with keys alone. */
export interface App {
  /** Slug, as in app props. */
  readonly app: string;
  readonly oauth: null | AppClient;
  /** Where the authorization server sends browsers by default: to be registered there. */
  readonly redirect_uri: string | null;
  readonly fields: readonly AppField[];
  /** The URL that its service calls with events; null without an endpoint. */
  readonly endpoint_url: string | null;
  /** Epoch seconds. */
  readonly created_at: number;
  /** Epoch seconds. */
  readonly updated_at: number;
}

export interface AppClient {
  readonly client_id: string;
  /** The secret itself is never shown. */
  readonly has_secret: boolean;
  readonly grant: "authorization_code" | "client_credentials";
  /** A known service. */
  readonly service: string | null;
  readonly server: AuthorizationServer;
}

export interface AppField {
  /** The field of `$auth`. */
  readonly name: string;
  /** What a form shows. */
  readonly label: string | null;
  readonly secret: boolean;
}

export interface AuthorizationServer {
  /** As the server names itself. */
  readonly issuer?: string;
  readonly authorize_url?: string;
  readonly token_url?: string;
  /** Device flow (RFC 8628). */
  readonly device_url?: string;
  /** Revocation (RFC 7009). */
  readonly revoke_url?: string;
  readonly scopes?: readonly string[];
  /** Default: a space. */
  readonly scope_separator?: string;
  readonly client_auth?: "basic" | "post" | "none";
  /** Default true. */
  readonly pkce?: boolean;
  /** The server names itself in each response (RFC 9207). */
  readonly iss_in_response?: boolean;
  readonly authorize_params?: { readonly [name: string]: string };
}

/** One attempt to connect an account; it is forgotten after some minutes, and at a restart. */
export interface Connection {
  /** Starts with `con_`. */
  readonly id: string;
  readonly app: string;
  readonly status: "pending" | "connected" | "failed";
  /** Where the person agrees. Null when no person is needed. */
  readonly authorize_url: string | null;
  /** Where the authorization server sends the browser. */
  readonly redirect_uri: string | null;
  /** The code to type in, in the device flow. */
  readonly user_code: string | null;
  /** Epoch seconds. */
  readonly expires_at: number;
  /** When it is connected. */
  readonly account_id: string | null;
  /** Why it failed. */
  readonly error: string | null;
}

/** A service whose addresses are known. */
export interface Service {
  readonly name: string;
  readonly label: string;
  /** Slugs of apps that it serves, besides its name. */
  readonly apps: readonly string[];
  readonly server: AuthorizationServer;
  readonly fields: readonly AppField[];
  /** The page that documents it. */
  readonly docs: string;
  /** What a person has to know. */
  readonly note: string | null;
}
