/** A field that a person fills in: a key of the app, or a part of the addresses of its authorization server. */
export interface AppField {
  /** The field of `$auth`. */
  readonly name: string;
  readonly label?: string;
  /** False shows the value while it is typed. Default true. */
  readonly secret?: boolean;
}

/** How the client proves who it is at the token endpoint: RFC 6749, 2.3.1. */
export type ClientAuth = "basic" | "post" | "none";

/** How tokens are obtained without a refresh token. */
export type OAuthGrant = "authorization_code" | "client_credentials";

/** An authorization server. `{name}` in an address is replaced by the field of that name. */
export interface AuthorizationServer {
  /** As the server names itself in its metadata and answers. Absent: answers that name one are refused. */
  readonly issuer?: string;
  readonly authorizeUrl?: string;
  readonly tokenUrl?: string;
  /** RFC 8628. */
  readonly deviceUrl?: string;
  /** RFC 7009. */
  readonly revokeUrl?: string;
  readonly scopes?: readonly string[];
  /** Default: a space. */
  readonly scopeSeparator?: string;
  /** Default: `post` with a secret, `none` without one. */
  readonly clientAuth?: ClientAuth;
  /** False for a server that refuses a code challenge (RFC 7636). Default true. */
  readonly pkce?: boolean;
  /** True for a server that names itself in each authorization response (RFC 9207): a response without `iss` is refused. */
  readonly issInResponse?: boolean;
  /** Further parameters of the authorization request. */
  readonly authorizeParams?: { readonly [name: string]: string };
}

/** The client of an app at its authorization server. */
export interface OAuthClient extends AuthorizationServer {
  /** A row of the table of known services, which fills in what is absent here. */
  readonly service?: string;
  /** Default: authorization code. */
  readonly grant?: OAuthGrant;
  readonly clientId: string;
}

/** How a user's accounts of one app are connected. */
export interface AccountApp {
  readonly userId: string;
  /** As in app props; unique for the user. */
  readonly slug: string;
  /** Absent for an app with keys alone. */
  readonly oauth?: OAuthClient;
  /** Encrypted in the store; empty for a client without one. */
  readonly clientSecret: string;
  /** What a person fills in to connect an account. */
  readonly fields: readonly AppField[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Why the token of an account could not be renewed. */
export interface RenewalFailure {
  readonly at: number;
  /** The error of the server, such as `invalid_grant`, or ours. */
  readonly code: string;
  readonly message: string;
  /** True when the account has to be connected again. */
  readonly final: boolean;
}

/** What is known of the tokens of an account that an authorization server gave. The tokens are in `auth`. */
export interface AccountOAuth {
  readonly grant: OAuthGrant | "device_code";
  readonly scopes: readonly string[];
  readonly obtainedAt: number;
  /** Null for an access token that does not expire. */
  readonly expiresAt: number | null;
  /** Of the last attempt to renew it. */
  readonly failure?: RenewalFailure;
  /** Since when the server may have replaced the refresh token by one that is not here: an attempt whose outcome is not known. */
  readonly attemptedAt?: number;
}
