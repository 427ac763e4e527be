import { createHash, generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { Provider } from "oidc-provider";

import { createTokenRecords } from "./token-records.ts";

export interface ServerOptions {
  /** Where clients may be redirected to. */
  readonly redirectUris: readonly string[];
  /** Lifetime of access tokens in seconds. Default: an hour. */
  readonly lifetimeSeconds?: number;
  /** Refresh tokens are replaced at each use. Default true. */
  readonly rotates?: boolean;
  /**
   * A replaced refresh token stays valid until its successor, or the access token that came with it, is used: as services do
   * that forgive a lost answer. Default false: its second use voids the grant.
   */
  readonly isLenient?: boolean;
}

/** A real authorization server, with an API at `/api/me` that accepts its access tokens. */
export interface AuthorizationServer extends AsyncDisposable {
  readonly issuer: string;
  /** Grants of successful token requests, in their order. */
  readonly granted: string[];
  /** Errors of refused token requests. */
  readonly refused: string[];
  /** Access tokens that the API was asked with, and its answers. */
  readonly asked: { readonly token: string; readonly status: number }[];
  /** Voids an access token, as when a user signs out everywhere. */
  voidAccess(token: string): Promise<void>;
  /** Voids a refresh token. */
  voidRefresh(token: string): Promise<void>;
  knowsRefresh(token: string): Promise<boolean>;
  /** Replaces the answers of the token endpoint: a status without a body. Undefined: the server answers itself. */
  answers: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  /** Answers of the token endpoint get lost: the server does what it is asked, and the client waits. Default false. */
  losesAnswers: boolean;
  /** Called when a request for tokens has arrived, and when its answer is about to be sent. */
  onToken: ((stage: "asked" | "granted") => void) | undefined;
  /** Held before each answer of the token endpoint. */
  gate: Promise<void>;
  /** A person who agrees to all: follows the URL as a browser would, and returns the URL that the client is sent to. */
  agree(url: string, redirectUri: string): Promise<string>;
  /** A person who types the code of the device flow in. */
  agreeAtDevice(verificationUri: string, userCode: string): Promise<void>;
}

export const clientId = "client-of-x";
export const clientSecret = "secret-of-the-client-0123456789abcdef";
export const person = "person-1234";

const signingKey = {
  ...generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" }),
  alg: "ES256",
  use: "sig",
};

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
};

function configure({ redirectUris, lifetimeSeconds = 3_600, rotates = true }: ServerOptions, Adapter: unknown): object {
  const common = {
    client_secret: clientSecret,
    grant_types: [
      "authorization_code",
      "refresh_token",
      "client_credentials",
      "urn:ietf:params:oauth:grant-type:device_code",
    ],
    response_types: ["code"],
    redirect_uris: redirectUris,
    id_token_signed_response_alg: "ES256",
  };
  return {
    adapter: Adapter,
    jwks: { keys: [signingKey] },
    clients: [
      { ...common, client_id: clientId, token_endpoint_auth_method: "client_secret_basic" },
      { ...common, client_id: `${clientId}-post`, token_endpoint_auth_method: "client_secret_post" },
    ],
    features: {
      devInteractions: { enabled: false },
      deviceFlow: { enabled: true },
      clientCredentials: { enabled: true },
      revocation: { enabled: true },
    },
    scopes: ["openid", "read"],
    pkce: { required: () => true },
    interactions: { url: (_: unknown, interaction: { uid: string }) => `/interaction/${interaction.uid}` },
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    issueRefreshToken: () => true,
    rotateRefreshToken: () => rotates,
    ttl: {
      Session: 86_400,
      IdToken: 3_600,
      Interaction: 3_600,
      DeviceCode: 600,
      AccessToken: lifetimeSeconds,
      ClientCredentials: lifetimeSeconds,
      RefreshToken: 86_400,
      Grant: 86_400,
    },
    cookies: { keys: ["a-key-for-tests"] },
  };
}

/** Signs the person in and agrees. */
async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (prompt.name === "login") {
    const login = { login: { accountId: person } };
    await provider.interactionFinished(request, response, login, { mergeWithLastSubmission: false });
    return;
  }
  const grant = new provider.Grant({ accountId: session?.accountId ?? person, clientId: params.client_id });
  grant.addOIDCScope("openid read");
  const consent = { consent: { grantId: await grant.save() } };
  await provider.interactionFinished(request, response, consent, { mergeWithLastSubmission: true });
}

/** A browser with cookies: follows redirects until one leads to `until`. */
function createBrowser(): {
  go(
    url: string,
    until: string,
    init?: { method: string; body: URLSearchParams },
  ): Promise<{ url: string; text: string }>;
} {
  const cookies = new Map<string, string>();
  return {
    async go(url, until, init) {
      let response: Response;
      for (let at = url, next = init; ; next = undefined) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
        response = await fetch(at, { redirect: "manual", headers: { cookie }, ...next });
        for (const header of response.headers.getSetCookie()) {
          const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
          cookies.set(name, value);
        }
        const location = response.headers.get("location");
        if (location === null) return { url: at, text: await response.text() };
        at = new URL(location, at).href;
        if (until !== "" && at.startsWith(until)) return { url: at, text: "" };
      }
    },
  };
}

const attribute = (tag: string, name: string): string => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? "";

/** The fields of the form of a page; undefined without a form. */
function formFields(page: string): URLSearchParams | undefined {
  if (!page.includes("<form")) return undefined;
  const inputs = [...page.matchAll(/<input[^>]*>/g)].map(([tag]): [string, string] => [
    attribute(tag, "name"),
    attribute(tag, "value"),
  ]);
  return new URLSearchParams(inputs);
}

export async function startAuthorizationServer(options: ServerOptions): Promise<AuthorizationServer> {
  const http = createServer();
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const records = createTokenRecords(() => options.isLenient === true);
  const provider = new Provider(issuer, configure(options, records.Adapter));
  const handle = provider.callback();
  /** The refresh token that each token replaced, by the id of the new one. */
  const replaced = new Map<string, string>();
  const used = (id: string | undefined): void => {
    const before = id === undefined ? undefined : replaced.get(id);
    if (before !== undefined) records.consume(before);
  };

  const server: AuthorizationServer = {
    issuer,
    granted: [],
    refused: [],
    asked: [],
    answers: undefined,
    losesAnswers: false,
    onToken: undefined,
    gate: Promise.resolve(),
    async voidAccess(token) {
      await (await provider.AccessToken.find(token))?.destroy();
    },
    async voidRefresh(token) {
      await (await provider.RefreshToken.find(token))?.destroy();
    },
    knowsRefresh: async (token) => (await provider.RefreshToken.find(token)) !== undefined,
    agree: async (url, redirectUri) => (await createBrowser().go(url, redirectUri)).url,
    async agreeAtDevice(verificationUri, userCode) {
      const browser = createBrowser();
      const action = new URL("/device", verificationUri).href;
      let { text } = await browser.go(verificationUri, "");
      // The code, the confirmation, and what the server asks in between.
      for (let body = formFields(text); body; body = formFields(text)) {
        body.set("user_code", userCode);
        body.set("confirm", "yes");
        ({ text } = await browser.go(action, "", { method: "POST", body }));
      }
    },
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      if (http.listening) await new Promise((resolve) => http.close(resolve));
    },
  };
  provider.on("grant.success", ({ oidc: { params, entities } }) => {
    server.granted.push(params?.["grant_type"] ?? "");
    server.onToken?.("granted");
    const { RotatedRefreshToken: old, RefreshToken: next, AccessToken: access } = entities;
    if (!old) return;
    used(old.jti);
    for (const token of [next, access]) if (token) replaced.set(token.jti, old.jti);
  });
  provider.on("grant.error", (_, error) => server.refused.push(String(error?.message)));
  provider.on("server_error", (_, error) => server.refused.push(`server error: ${String(error?.stack)}`));

  async function answerApi(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const token = (request.headers.authorization ?? "").replace(/^Bearer /, "");
    const found = token === "" ? undefined : await provider.AccessToken.find(token);
    const status = found?.isValid ? 200 : 401;
    if (status === 200) used(found?.jti);
    server.asked.push({ token, status });
    // Which token it was, without telling the token.
    const tokenId = createHash("sha256").update(token).digest("hex");
    response.writeHead(status, { "content-type": "application/json", "x-token-id": tokenId });
    response.end(JSON.stringify(status === 200 ? { id: found?.accountId ?? "client", method: request.method } : {}));
  }
  http.on("request", (request, response) => {
    const path = request.url ?? "";
    const fail = (error: unknown): void => void response.writeHead(500).end(String(error));
    if (path.startsWith("/api/me")) void readBody(request).then(() => answerApi(request, response), fail);
    else if (path.startsWith("/interaction/")) void interact(provider, request, response).catch(fail);
    else if (path === "/token" && server.answers?.(request, response)) return;
    else {
      if (path === "/token") server.onToken?.("asked");
      if (path === "/token" && server.losesAnswers) response.end = () => response;
      void (path === "/token" ? server.gate : Promise.resolve()).then(() => handle(request, response), fail);
    }
  });
  return server;
}
