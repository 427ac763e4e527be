import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { component } from "../conformance/fixture.ts";
import { ask, killAll, startService } from "../faults/service.child.ts";
import { clientId, clientSecret, startAuthorizationServer } from "./authorization-server.ts";

const folder = await mkdtemp(join(tmpdir(), "x-lost-answer-"));
afterAll(async () => {
  await killAll();
  await rm(folder, { recursive: true, force: true });
});

const redirectUri = "http://127.0.0.1:9/callback";
const args = ["--network", "allow-private"];

interface Listed {
  readonly data: readonly {
    readonly oauth: { readonly problem: { readonly message: string; readonly reconnect: boolean } | null };
  }[];
}

/** A service that was killed when the server had replaced the refresh token, and before its answer came; started again. */
async function startAfterLoss(name: string, isLenient: boolean) {
  // Of access tokens: each run needs a new one.
  const server = await startAuthorizationServer({ redirectUris: [redirectUri], lifetimeSeconds: 1, isLenient });
  const data = join(folder, name);
  const first = await startService(data, { args });
  const oauth = { client_id: clientId, client_secret: clientSecret, issuer: server.issuer, scopes: ["openid", "read"] };
  await ask(first.url, "PUT", "/apps/acme", { oauth });
  const body = { app: "acme", redirect_uri: redirectUri };
  const begun = await ask<{ data: { authorize_url: string } }>(first.url, "POST", "/accounts/connect", body);
  const back = await server.agree(begun.data.authorize_url, redirectUri);
  const done = await ask<{ data: { account_id: string } }>(first.url, "POST", "/accounts/connect/complete", {
    url: back,
  });
  const source = await ask<{ data: { id: string } }>(first.url, "POST", "/sources", {
    component_code: component({
      name: "Asking",
      props: 'acme: { type: "app", app: "acme" }',
      run: "this.$emit(this.acme.$auth.oauth_access_token.length)",
    }),
    configured_props: { acme: { authProvisionId: done.data.account_id } },
  });
  const run = (url: string): Promise<{ data: { status: string; error: { code: string } | null } }> =>
    ask(url, "POST", `/sources/${source.data.id}/run`, {});

  const granted = Promise.withResolvers<void>();
  server.onToken = (stage) => {
    if (stage === "granted") granted.resolve();
  };
  server.losesAnswers = true;
  // The token has expired at the first of these runs or a later one.
  const running = (async () => {
    while ((await run(first.url)).data.status === "ok");
  })().catch(() => undefined);
  await granted.promise;
  await first.kill();
  await running;
  server.losesAnswers = false;
  server.onToken = undefined;
  const { url } = await startService(data, { args });
  const accounts = (): Promise<Listed> => ask<Listed>(url, "GET", "/users/me/accounts");
  return { server, accounts, id: done.data.account_id, run: () => run(url) };
}

test("a server that forgives a lost answer gives new tokens at the next start, before any run", async () => {
  const { server, run } = await startAfterLoss("lenient", true);
  await using _server = server;
  await expect.poll(() => server.granted.filter((grant) => grant === "refresh_token").length).toBe(2);
  expect((await run()).data.status).toBe("ok");
  expect(server.refused).toEqual([]);
});

test("where a server does not, the account is marked at the next start, with the reason, before any run", async () => {
  const { server, accounts, run, id } = await startAfterLoss("strict", false);
  await using _server = server;
  await expect.poll(async () => (await accounts()).data[0]?.oauth.problem?.reconnect).toBe(true);
  const [account] = (await accounts()).data;
  expect(account?.oauth.problem?.message).toMatch(/; the answer to an attempt at \S+ was lost, /);
  expect((await run()).data.error).toMatchObject({
    code: "account_disconnected",
    message: expect.stringContaining(`x accounts connect acme --account ${id}`) as string,
  });
});
