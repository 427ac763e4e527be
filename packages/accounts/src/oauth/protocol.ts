import type * as Library from "oauth4webapi";

import { XError, deadlineAfter, type AuthorizationServer, type Json } from "@x/model";
import { OAuthFailure, serverText } from "./failure.ts";
import type { ServerClient } from "./server.ts";
import { moreFields, normalAnswer, parseBody, type Tokens } from "./token-answer.ts";

/** Sends a request by the rules of the network room, and no other way. */
export type SendRequest = (
  request: {
    readonly url: string;
    readonly method: string;
    readonly headers: readonly (readonly [string, string])[];
    readonly body: Uint8Array | undefined;
    readonly redirect: "manual";
  },
  signal: AbortSignal,
) => Promise<{
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
}>;

/** A request for authorization that a browser is sent to. */
export interface AuthorizationRequest {
  readonly url: string;
  readonly state: string;
  readonly verifier: string;
}

/** What a person types in at another device. */
export interface DeviceAuthorization {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly verificationUri: string;
  readonly verificationUriComplete: string | undefined;
  readonly expiresInSeconds: number;
  readonly intervalSeconds: number;
}

/** OAuth 2 by its library. Every method rejects with `OAuthFailure`, and with nothing else. */
export interface OAuthProtocol {
  /** The addresses of a server by its metadata: OpenID Connect Discovery, else RFC 8414. */
  discover(issuer: string): Promise<AuthorizationServer>;
  authorize(server: ServerClient, redirectUri: string): Promise<AuthorizationRequest>;
  /** Checks the response to an authorization request (state, issuer, error), and gets tokens for its code. */
  exchange(
    server: ServerClient,
    request: Omit<AuthorizationRequest, "url"> & { readonly redirectUri: string; readonly response: URLSearchParams },
  ): Promise<Tokens>;
  clientCredentials(server: ServerClient): Promise<Tokens>;
  refresh(server: ServerClient, refreshToken: string): Promise<Tokens>;
  authorizeDevice(server: ServerClient): Promise<DeviceAuthorization>;
  /** Rejects with `authorization_pending` and `slow_down` until the person has agreed. */
  deviceTokens(server: ServerClient, deviceCode: string): Promise<Tokens>;
  revoke(server: ServerClient, token: string, kind: "refresh_token" | "access_token"): Promise<void>;
}

const timeoutMs = 20_000;
/** Tokens and metadata have some KiB; what reading more of them takes is not asked of the main thread. */
const maxAnswerBytes = 256 * 1024;
const defaultIntervalSeconds = 5;

const headerOf = (headers: readonly (readonly [string, string])[], name: string): string =>
  headers.find(([given]) => given === name)?.[1] ?? "";

/**
 * Signatures of ID tokens. They come from the token endpoint itself, over its own connection, and are not needed to trust
 * it (OpenID Connect Core, 3.1.3.7); issuer, audience and times are checked.
 */
const signatures = "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 Ed25519 EdDSA HS256 HS384 HS512".split(" ");

/** The metadata of the library. */
const metadataOf = (server: ServerClient): Library.AuthorizationServer => ({
  issuer: server.issuer,
  token_endpoint: server.tokenUrl,
  id_token_signing_alg_values_supported: signatures,
  ...(server.authorizeUrl !== undefined && { authorization_endpoint: server.authorizeUrl }),
  ...(server.deviceUrl !== undefined && { device_authorization_endpoint: server.deviceUrl }),
  ...(server.revokeUrl !== undefined && { revocation_endpoint: server.revokeUrl }),
  ...(server.issInResponse && { authorization_response_iss_parameter_supported: true }),
});

function clientAuthOf(library: typeof Library, { clientAuth, clientSecret }: ServerClient): Library.ClientAuth {
  if (clientAuth === "none") return library.None();
  return clientAuth === "basic" ? library.ClientSecretBasic(clientSecret) : library.ClientSecretPost(clientSecret);
}

/** Texts that no message may show. */
const secretsOf = ({ clientSecret }: ServerClient, more: readonly string[]): string[] => [
  clientSecret,
  encodeURIComponent(clientSecret),
  ...more,
];

interface Described {
  readonly error?: unknown;
  readonly error_description?: unknown;
  readonly code?: unknown;
}

/** Any error of the library or the network room as a failure. */
function failureOf(error: unknown, secrets: readonly string[]): OAuthFailure {
  if (error instanceof OAuthFailure) return error;
  if (XError.is(error)) {
    const forbidden = error.code === "address_forbidden";
    return new OAuthFailure(forbidden ? error.code : "network_failed", serverText(error.message, secrets), {
      cause: error,
    });
  }
  const { error: code, error_description: description } = error as Described;
  const named = serverText(code, secrets);
  if (named !== "") {
    const more = serverText(description, secrets);
    return new OAuthFailure(
      named,
      more === "" ? `the server answered ${named}` : `the server answered ${named}: ${more}`,
    );
  }
  const text = error instanceof Error ? error.message : String(error);
  return new OAuthFailure("invalid_response", serverText(text, secrets).replaceAll('"', ""));
}

type LibraryFetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: unknown },
) => Promise<Response>;

/** The body of a request as a form, or as JSON. */
function encodeBody(
  body: unknown,
  asJson: boolean,
): { readonly bytes: Uint8Array; readonly headers: { readonly [name: string]: string } } | undefined {
  if (!(body instanceof URLSearchParams)) return undefined;
  return asJson
    ? { bytes: Buffer.from(JSON.stringify(Object.fromEntries(body))), headers: { "content-type": "application/json" } }
    : { bytes: Buffer.from(body.toString()), headers: {} };
}

/** A fetch for the library: sends by the network room, and makes the answers of a token endpoint conform. */
const fetchBy =
  (send: SendRequest, tokensOfServer: ServerClient | undefined): LibraryFetch =>
  async (url, { method, headers, body }) => {
    const deadline = deadlineAfter(timeoutMs);
    const sent = encodeBody(body, tokensOfServer?.sendsJson === true);
    const given = Object.entries({ ...headers, ...sent?.headers }).map(
      ([name, value]) => [name.toLowerCase(), value] as const,
    );
    try {
      const request = { url, method, headers: given, body: sent?.bytes, redirect: "manual" as const };
      const reply = await send(request, deadline.signal);
      return toResponse(url, reply, tokensOfServer);
    } finally {
      deadline.letGo();
    }
  };

/** One exchange with a server, for the library. */
interface Call {
  readonly known: typeof Library;
  readonly as: Library.AuthorizationServer;
  readonly client: Library.Client;
  readonly auth: Library.ClientAuth;
  readonly options: Library.TokenEndpointRequestOptions;
}

/** The library refuses http itself; here `urlProblem` decides, which allows it on this machine. */
const optionsBy = <Options = Library.TokenEndpointRequestOptions>(
  known: typeof Library,
  fetch: LibraryFetch,
): Options => ({ [known.customFetch]: fetch, [known.allowInsecureRequests]: true }) as unknown as Options;

function tokensOf({ known }: Call, server: ServerClient, body: Library.TokenEndpointResponse): Tokens {
  const subject = body.id_token === undefined ? undefined : known.getValidatedIdTokenClaims(body)?.sub;
  return {
    accessToken: body.access_token,
    ...(body.refresh_token !== undefined && { refreshToken: body.refresh_token }),
    ...(body.expires_in !== undefined && { expiresInSeconds: body.expires_in }),
    ...(body.scope !== undefined && { scopes: body.scope.split(/[\s,]+/).filter((scope) => scope !== "") }),
    more: moreFields({ ...body } as Record<string, Json>, server.authPaths, subject),
  };
}

const scopeOf = ({ scopes, scopeSeparator }: ServerClient): Record<string, string> =>
  scopes.length === 0 ? {} : { scope: scopes.join(scopeSeparator) };

async function authorizationRequest(
  known: typeof Library,
  server: ServerClient,
  redirectUri: string,
): Promise<AuthorizationRequest> {
  if (server.authorizeUrl === undefined)
    throw new OAuthFailure("invalid_response", "the app has no address of an authorization page");
  const [state, verifier] = [known.generateRandomState(), known.generateRandomCodeVerifier()];
  const url = new URL(server.authorizeUrl);
  const parameters = {
    ...server.authorizeParams,
    response_type: "code",
    client_id: server.clientId,
    redirect_uri: redirectUri,
    ...scopeOf(server),
    state,
    ...(server.pkce && {
      code_challenge: await known.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { url: url.href, state, verifier };
}

function discovered(found: Library.AuthorizationServer): AuthorizationServer {
  const methods = found.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  return {
    issuer: found.issuer,
    ...(found.authorization_endpoint !== undefined && { authorizeUrl: found.authorization_endpoint }),
    ...(found.token_endpoint !== undefined && { tokenUrl: found.token_endpoint }),
    ...(found.device_authorization_endpoint !== undefined && { deviceUrl: found.device_authorization_endpoint }),
    ...(found.revocation_endpoint !== undefined && { revokeUrl: found.revocation_endpoint }),
    clientAuth: methods.includes("client_secret_basic") ? "basic" : "post",
    issInResponse: found.authorization_response_iss_parameter_supported === true,
  };
}

async function discover(known: typeof Library, send: SendRequest, issuer: string): Promise<AuthorizationServer> {
  try {
    const url = new URL(issuer);
    const options = optionsBy<Library.DiscoveryRequestOptions>(known, fetchBy(send, undefined));
    let response = await known.discoveryRequest(url, { ...options, algorithm: "oidc" });
    if (response.status === 404) response = await known.discoveryRequest(url, { ...options, algorithm: "oauth2" });
    return discovered(await known.processDiscoveryResponse(url, response));
  } catch (error) {
    throw failureOf(error, []);
  }
}

/** Creates the protocol over the way out of the process. */
export function createOAuthProtocol(send: SendRequest): OAuthProtocol {
  const library = (): Promise<typeof Library> => import("oauth4webapi");

  /** Runs one exchange and gives its errors one form. `secrets` are in no message. */
  async function exchanged<T>(
    server: ServerClient,
    secrets: readonly string[],
    work: (call: Call) => Promise<T>,
    answers: "tokens" | "other" = "tokens",
  ): Promise<T> {
    try {
      const known = await library();
      const fetch = fetchBy(send, answers === "tokens" ? server : undefined);
      return await work({
        known,
        as: metadataOf(server),
        client: { client_id: server.clientId },
        auth: clientAuthOf(known, server),
        options: optionsBy(known, fetch),
      });
    } catch (error) {
      throw failureOf(error, secretsOf(server, secrets));
    }
  }

  return {
    discover: async (issuer) => discover(await library(), send, issuer),
    authorize: (server, redirectUri) =>
      exchanged(server, [], ({ known }) => authorizationRequest(known, server, redirectUri)),
    exchange: (server, { state, verifier, redirectUri, response }) =>
      exchanged(server, [verifier, response.get("code") ?? ""], async (call) => {
        const { known, as, client, auth, options } = call;
        const checked = known.validateAuthResponse(as, client, response, state);
        const proof = server.pkce ? verifier : known.nopkce;
        const sent = await known.authorizationCodeGrantRequest(as, client, auth, checked, redirectUri, proof, options);
        return tokensOf(call, server, await known.processAuthorizationCodeResponse(as, client, sent));
      }),
    clientCredentials: (server) =>
      exchanged(server, [], async (call) => {
        const { known, as, client, auth, options } = call;
        const sent = await known.clientCredentialsGrantRequest(as, client, auth, scopeOf(server), options);
        return tokensOf(call, server, await known.processClientCredentialsResponse(as, client, sent));
      }),
    refresh: (server, refreshToken) =>
      exchanged(server, [refreshToken], async (call) => {
        const { known, as, client, auth, options } = call;
        const sent = await known.refreshTokenGrantRequest(as, client, auth, refreshToken, options);
        return tokensOf(call, server, await known.processRefreshTokenResponse(as, client, sent));
      }),
    authorizeDevice: (server) =>
      exchanged(
        server,
        [],
        async ({ known, as, client, auth, options }) => {
          const sent = await known.deviceAuthorizationRequest(as, client, auth, scopeOf(server), options);
          const found = await known.processDeviceAuthorizationResponse(as, client, sent);
          return {
            deviceCode: found.device_code,
            userCode: found.user_code,
            verificationUri: found.verification_uri,
            verificationUriComplete: found.verification_uri_complete,
            expiresInSeconds: found.expires_in,
            intervalSeconds: found.interval ?? defaultIntervalSeconds,
          };
        },
        "other",
      ),
    deviceTokens: (server, deviceCode) =>
      exchanged(server, [deviceCode], async (call) => {
        const { known, as, client, auth, options } = call;
        const sent = await known.deviceCodeGrantRequest(as, client, auth, deviceCode, options);
        return tokensOf(call, server, await known.processDeviceCodeResponse(as, client, sent));
      }),
    revoke: (server, token, kind) =>
      exchanged(
        server,
        [token],
        async ({ known, as, client, auth, options }) => {
          const more = { ...options, additionalParameters: { token_type_hint: kind } };
          await known.processRevocationResponse(await known.revocationRequest(as, client, auth, token, more));
        },
        "other",
      ),
  };
}

type Reply = Awaited<ReturnType<SendRequest>>;

/** The answer for the library; with a server that of a token endpoint, in the form of RFC 6749. */
function toResponse(url: string, reply: Reply, server: ServerClient | undefined): Response {
  const shown = new URL(url).host;
  if (reply.body.byteLength > maxAnswerBytes)
    throw new OAuthFailure("invalid_response", `${shown} answered more than ${maxAnswerBytes} bytes`);
  const retryAfter = Number(headerOf(reply.headers, "retry-after"));
  if (reply.status >= 500 || reply.status === 429)
    throw new OAuthFailure("network_failed", `${shown} answered ${reply.status}`, {
      ...(Number.isFinite(retryAfter) && retryAfter > 0 && { retryAfter }),
    });
  const text = Buffer.from(reply.body).toString("utf8");
  const json = { "content-type": "application/json" };
  if (!server) {
    const isJson = /^[[{]/.test(text.trimStart());
    return new Response(isJson || text !== "" ? text : null, {
      status: reply.status,
      ...(isJson && { headers: json }),
    });
  }
  const body = parseBody(text, headerOf(reply.headers, "content-type"));
  const quirks = {
    dropIdToken: !server.isIssuerKnown,
    ...(server.tokensAt !== undefined && { tokensAt: server.tokensAt }),
  };
  const answer = normalAnswer(reply.status, body, quirks);
  if (!answer) throw new OAuthFailure("invalid_response", `${shown} answered ${reply.status} without a JSON object`);
  return new Response(JSON.stringify(answer.body), { status: answer.status, headers: json });
}
