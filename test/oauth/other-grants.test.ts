import { afterEach, expect, test } from "vitest";

import type { Data } from "../conformance/fixture.ts";
import { clientId, clientSecret, person } from "./authorization-server.ts";
import { type Connected, startConnected } from "./connected.ts";

let connected: Connected | undefined;
afterEach(async () => {
  await connected?.[Symbol.asyncDispose]();
  connected = undefined;
});
const start = async (): Promise<Connected> => (connected = await startConnected());

test("a client with rights of its own is connected without a person, and renews without a refresh token", async () => {
  const own = await start();
  const { runtime } = own.service;
  const oauth = {
    clientId,
    clientSecret,
    issuer: own.server.issuer,
    grant: "client_credentials",
    scopes: ["read"],
  } as const;
  await runtime.putApp({ app: "acme", oauth });
  const made = await runtime.connectAccount({ app: "acme" });
  expect(made).toMatchObject({ status: "connected", authorizeUrl: null });
  const id = made.accountId ?? "";
  const before = await own.auth(id);
  expect(before).toEqual({ oauth_access_token: expect.any(String) as string, oauth_client_id: clientId });
  own.service.clock.jump(3_600_000);
  const after = await own.auth(id);
  expect(after["oauth_access_token"]).not.toBe(before["oauth_access_token"]);
  expect(own.server.granted).toEqual(["client_credentials", "client_credentials"]);

  await runtime.putApp({ app: "acme", oauth: { ...oauth, clientSecret: "another-secret" } });
  await expect(runtime.connectAccount({ app: "acme" })).rejects.toMatchObject({
    code: "connect_failed",
    message: expect.stringContaining("invalid_client") as string,
  });
});

test("the device flow waits until the person has typed the code in", async () => {
  const own = await start();
  const { runtime, clock } = own.service;
  const begun = await runtime.connectAccount({ app: "acme", device: true, name: "TV" });
  expect(begun).toMatchObject({ status: "pending", redirectUri: null, userCode: expect.any(String) as string });
  clock.jump(5_000);
  await expect.poll(() => own.server.refused).toEqual(["authorization_pending"]);
  expect((await runtime.connection(begun.id)).status).toBe("pending");
  await own.server.agreeAtDevice(begun.authorizeUrl ?? "", begun.userCode ?? "");
  const waiting = runtime.connection(begun.id, { wait: true });
  clock.jump(5_000);
  const done = await waiting;
  expect(done).toMatchObject({ status: "connected", error: null });
  expect((await own.auth(done.accountId ?? ""))["oauth_uid"]).toBe(person);
});

test("a device code that nobody types in ends with its time, and is asked for no more", async () => {
  const own = await start();
  const { runtime, clock } = own.service;
  const begun = await runtime.connectAccount({ app: "acme", device: true });
  clock.jump(begun.expiresAt - clock.now());
  const done = await runtime.connection(begun.id, { wait: true });
  expect(done).toMatchObject({ status: "failed", error: "nobody agreed in time" });
  clock.jump(60_000);
  await runtime.idle();
  expect(own.server.granted).toEqual([]);
  const app = { app: "keyless", oauth: { clientId, clientSecret, tokenUrl: `${own.server.issuer}/token` } };
  await runtime.putApp(app);
  const refused = await own.service.call("POST", "/accounts/connect", { app: "keyless", device: true });
  expect([refused.status, refused.body.details.parameter]).toEqual([400, "device"]);
});

test("a deleted account is revoked at its server, and its tokens are void", async () => {
  const own = await start();
  const id = await own.connect();
  const source = await own.deployAsking(id);
  const { oauth_refresh_token: refresh = "" } = await own.auth(id);
  expect(await own.server.knowsRefresh(refresh)).toBe(true);
  expect((await own.service.call("DELETE", `/accounts/${id}`)).status).toBe(409);
  expect(await own.server.knowsRefresh(refresh)).toBe(true);
  expect((await own.service.call("DELETE", `/accounts/${id}?force=true`)).status).toBe(204);
  expect(await own.server.knowsRefresh(refresh)).toBe(false);
  expect((await own.service.run(source)).error?.code).toBe("account_missing");
});

test("an account is deleted although its server is gone", async () => {
  const own = await start();
  const id = await own.connect();
  await own.server[Symbol.asyncDispose]();
  expect((await own.service.call("DELETE", `/accounts/${id}`)).status).toBe(204);
  expect((await own.service.call<Data<object[]>>("GET", "/users/me/accounts")).body.data).toEqual([]);
});
