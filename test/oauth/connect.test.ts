import { afterAll, beforeAll, expect, test } from "vitest";

import { type Data, type ErrorBody, type Reply } from "../conformance/fixture.ts";
import { clientId, clientSecret, person } from "./authorization-server.ts";
import { type Connected, publicRedirect, redirectUri, startConnected } from "./connected.ts";

interface ConnectionBody {
  readonly id: string;
  readonly status: string;
  readonly authorize_url: string;
  readonly redirect_uri: string;
  readonly user_code: string | null;
  readonly account_id: string | null;
  readonly error: string | null;
}
interface AppBody {
  readonly app: string;
  readonly oauth: { readonly has_secret: boolean; readonly server: { readonly token_url: string } } | null;
}

let connected: Connected;
beforeAll(async () => {
  connected = await startConnected();
});
afterAll(() => connected[Symbol.asyncDispose]());

const call = <T>(method: string, path: string, body?: object): Promise<Reply<Data<T> & ErrorBody>> =>
  connected.service.call(method, path, body);
const begin = async (body: object = {}): Promise<ConnectionBody> =>
  (await call<ConnectionBody>("POST", "/accounts/connect", { app: "acme", ...body })).body.data;
const complete = (url: string): Promise<Reply<Data<ConnectionBody> & ErrorBody>> =>
  call("POST", "/accounts/connect/complete", { url });

/** Opens the callback of the service as a browser does, wherever the service is. */
const open = (url: string, method = "GET"): Promise<Response> =>
  fetch(connected.service.url + new URL(url).pathname + new URL(url).search, { method, redirect: "manual" });

test("a browser connects an account by the callback of the service, with PKCE, and components read its tokens", async () => {
  const begun = await begin({ name: "Work" });
  expect(begun).toMatchObject({ status: "pending", redirect_uri: publicRedirect, account_id: null });
  const asked = new URL(begun.authorize_url).searchParams;
  expect([asked.get("code_challenge_method"), asked.get("scope"), asked.get("client_id")]).toEqual([
    "S256",
    "openid read",
    clientId,
  ]);
  const waiting = call<ConnectionBody>("GET", `/accounts/connect/${begun.id}?wait=true`);
  const page = await open(await connected.server.agree(begun.authorize_url, publicRedirect));
  expect([page.status, page.headers.get("location")]).toEqual([200, null]);
  expect(await page.text()).toContain("The account is connected.");
  const { data } = (await waiting).body;
  expect(data).toMatchObject({ status: "connected", error: null });
  const auth = await connected.auth(data.account_id ?? "");
  expect(auth).toEqual({
    oauth_access_token: expect.stringMatching(/^.{20,}$/) as string,
    oauth_refresh_token: expect.stringMatching(/^.{20,}$/) as string,
    oauth_uid: person,
    oauth_client_id: clientId,
  });
  const listed = await connected.service.call<{ data: object[] }>("GET", "/users/me/accounts?app=acme");
  expect(listed.body.data).toContainEqual(
    expect.objectContaining({
      id: data.account_id,
      name: "Work",
      oauth: {
        grant: "authorization_code",
        scopes: ["openid", "read"],
        expires_at: expect.any(Number) as number,
        problem: null,
      },
    }),
  );
  const shown = JSON.stringify([listed.body, data]);
  expect(
    [auth["oauth_access_token"], auth["oauth_refresh_token"], clientSecret].filter((each) =>
      shown.includes(each ?? ""),
    ),
  ).toEqual([]);
});

test("a program that receives the redirect itself completes the connection", async () => {
  const begun = await begin({ redirect_uri: redirectUri });
  const done = await complete(await connected.server.agree(begun.authorize_url, redirectUri));
  expect([done.status, done.body.data.status]).toEqual([200, "connected"]);
  expect(done.body.data.account_id).toMatch(/^apn_/);
});

test("an account that is connected again keeps its id, and sources go on with it", async () => {
  const id = await connected.connect();
  const source = await connected.deployAsking(id, "Again");
  const before = await connected.auth(id);
  const begun = await begin({ account_id: id, app: undefined, redirect_uri: redirectUri });
  const done = await complete(await connected.server.agree(begun.authorize_url, redirectUri));
  expect(done.body.data.account_id).toBe(id);
  expect((await connected.auth(id))["oauth_access_token"]).not.toBe(before["oauth_access_token"]);
  expect((await connected.service.run(source)).status).toBe("ok");
});

test("a person who declines, and a server that refuses, end the connection with their reason", async () => {
  const begun = await begin({ redirect_uri: redirectUri });
  const state = new URL(begun.authorize_url).searchParams.get("state") ?? "";
  const iss = encodeURIComponent(connected.server.issuer);
  const declined = await complete(
    `${redirectUri}?error=access_denied&error_description=No+thanks&state=${state}&iss=${iss}`,
  );
  expect([declined.status, declined.body.code, declined.body.error]).toEqual([
    422,
    "connect_failed",
    'No account of app "acme" was connected: the server answered access_denied: No thanks.',
  ]);
  const { data } = (await call<ConnectionBody>("GET", `/accounts/connect/${begun.id}`)).body;
  expect(data).toMatchObject({ status: "failed", account_id: null });
  expect(data.error).toContain("access_denied");

  const other = await begin({ redirect_uri: redirectUri });
  const back = new URL(await connected.server.agree(other.authorize_url, redirectUri));
  back.searchParams.set("code", "another-code");
  const refused = await complete(back.href);
  expect([refused.status, refused.body.code]).toEqual([422, "connect_failed"]);
  expect(refused.body.error).toContain("invalid_grant");
});

test("a connection that nobody completes in ten minutes has failed", async () => {
  const begun = await begin({ redirect_uri: redirectUri });
  const back = await connected.server.agree(begun.authorize_url, redirectUri);
  connected.service.clock.jump(10 * 60_000);
  const late = await complete(back);
  expect([late.status, late.body.code]).toEqual([404, "not_found"]);
  expect((await call<ConnectionBody>("GET", `/accounts/connect/${begun.id}`)).body.data).toMatchObject({
    status: "failed",
    error: "nobody agreed in time",
  });
});

test("an app is set, listed without its secret, and removed", async () => {
  const secret = "a-secret-that-nobody-sees";
  const put = await call<AppBody>("PUT", "/apps/other", {
    oauth: {
      client_id: "mine",
      client_secret: secret,
      authorize_url: "https://auth.other.example/authorize",
      token_url: "https://{tenant}.other.example/token",
      client_auth: "basic",
    },
  });
  expect(put.body.data).toMatchObject({
    app: "other",
    oauth: { has_secret: true, server: { token_url: "https://{tenant}.other.example/token", client_auth: "basic" } },
    fields: [{ name: "tenant", label: null, secret: false }],
  });
  const listed = await connected.service.call<{ data: AppBody[] }>("GET", "/users/me/apps");
  expect(listed.body.data.map(({ app }) => app)).toEqual(["acme", "other"]);
  expect(JSON.stringify([put.body, listed.body])).not.toContain(secret);
  expect((await call("DELETE", "/apps/other")).status).toBe(204);
  expect((await call("DELETE", "/apps/other")).status).toBe(404);
  expect((await call("POST", "/accounts/connect", { app: "other" })).body.code).toBe("not_found");
});

test("an app with wrong values is refused by the name of the value, without showing its secret", async () => {
  const secret = "a-secret-in-a-wrong-request";
  const url = "https://auth.example/token";
  const base = { client_id: "c", client_secret: secret, token_url: url };
  const refused: (readonly [object, string])[] = [
    [{}, "oauth"],
    [{ oauth: { client_secret: secret, token_url: url } }, "oauth.client_id"],
    [{ oauth: { ...base, token_url: "http://auth.example/token" } }, "oauth.token_url"],
    [{ oauth: { ...base, authorize_url: "javascript:alert(1)" } }, "oauth.authorize_url"],
    [{ oauth: { ...base, token_url: undefined } }, "oauth.token_url"],
    [{ oauth: { ...base, service: "nobody" } }, "oauth.service"],
    [{ oauth: { ...base, scopes: "read" } }, "oauth.scopes"],
    [{ oauth: { ...base, grant: "password" } }, "oauth.grant"],
    [{ oauth: { ...base, client_auth: "jwt" } }, "oauth.client_auth"],
    [{ oauth: { ...base, client_secret: 7 } }, "oauth.client_secret"],
    [{ oauth: { ...base, authorize_params: { a: 1 } } }, "oauth.authorize_params"],
    [{ oauth: { ...base, secret } }, "oauth.secret"],
    [{ fields: [{ name: "a b" }] }, "fields"],
    [{ fields: "api_key" }, "fields"],
  ];
  for (const [body, parameter] of refused) {
    const { status, body: answer } = await call("PUT", "/apps/wrong", body);
    expect([status, answer.error], parameter).toEqual([400, expect.stringContaining(parameter) as string]);
    expect(JSON.stringify(answer)).not.toContain(secret);
  }
  const unreadable = await call("PUT", "/apps/wrong", {
    oauth: { client_id: "c", issuer: `${connected.server.issuer}/x` },
  });
  expect([unreadable.status, unreadable.body.code]).toEqual([422, "connect_failed"]);
});

test("an app with keys asks for its fields, and stores them as $auth", async () => {
  const put = await call("PUT", "/apps/keyed", {
    fields: [
      { name: "api_key", label: "API key" },
      { name: "domain", secret: false },
    ],
  });
  expect(put.status).toBe(200);
  const made = await call<ConnectionBody>("POST", "/accounts/connect", {
    app: "keyed",
    fields: { api_key: "the-key-1", domain: "eu" },
  });
  expect(made.body.data).toMatchObject({ status: "connected", authorize_url: null });
  const source = await connected.service.deploy(
    `export default { name: "Keyed", version: "1", props: { keyed: { type: "app", app: "keyed" } },
      run() { this.$emit(this.keyed.$auth); } }`,
    { keyed: { authProvisionId: made.body.data.account_id } },
  );
  await connected.service.run(source.id);
  expect(await connected.service.emitted(source.id)).toEqual([{ api_key: "the-key-1", domain: "eu" }]);
  for (const [fields, parameter] of [
    [{ api_key: "the-key-1" }, "fields.domain"],
    [{ api_key: "the-key-1", domain: 5 }, "fields.domain"],
    [{ key: "the-key-1" }, "fields"],
  ] as const) {
    const refused = await call("POST", "/accounts/connect", { app: "keyed", fields });
    expect([refused.status, refused.body.details.parameter]).toEqual([400, parameter]);
    expect(JSON.stringify(refused.body)).not.toContain("the-key-1");
  }
});
