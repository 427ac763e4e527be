import { afterEach, expect, test } from "vitest";

import type { Data } from "../conformance/fixture.ts";
import { person } from "./authorization-server.ts";
import { type Connected, startConnected } from "./connected.ts";

let connected: Connected | undefined;
afterEach(async () => {
  await connected?.[Symbol.asyncDispose]();
  connected = undefined;
});
const start = async (...given: Parameters<typeof startConnected>): Promise<Connected> =>
  (connected = await startConnected(...given));

const renewals = ({ server }: Connected): number => server.granted.filter((grant) => grant === "refresh_token").length;
const hour = 3_600_000;

interface AccountBody {
  readonly id: string;
  readonly oauth: { readonly problem: { readonly code: string; readonly reconnect: boolean } | null };
}
const accountOf = async ({ service }: Connected, id: string): Promise<AccountBody | undefined> =>
  (await service.call<Data<AccountBody[]>>("GET", "/users/me/accounts")).body.data.find((each) => each.id === id);

test("a token is renewed before it expires, once, for all runs that wait for it", async () => {
  const own = await start();
  const id = await own.connect();
  const before = await own.auth(id);
  const sources = await Promise.all(["A", "B", "C", "D"].map((name) => own.deployAsking(id, name)));
  own.service.clock.jump(hour - 4 * 60_000);
  const gate = Promise.withResolvers<void>();
  own.server.gate = gate.promise;
  const runs = sources.map((source) => own.service.run(source));
  gate.resolve();
  expect((await Promise.all(runs)).map(({ status }) => status)).toEqual(["ok", "ok", "ok", "ok"]);
  expect(renewals(own)).toBe(1);
  const after = await own.auth(id);
  expect(after["oauth_access_token"]).not.toBe(before["oauth_access_token"]);
  expect(after["oauth_refresh_token"]).not.toBe(before["oauth_refresh_token"]);
  expect(after["oauth_uid"]).toBe(person);
  expect(renewals(own)).toBe(1);
});

test("a fresh token is not renewed", async () => {
  const own = await start();
  const source = await own.deployAsking(await own.connect());
  own.service.clock.jump(hour - 6 * 60_000);
  await own.service.run(source);
  expect(renewals(own)).toBe(0);
});

test("two concurrent runs whose token is refused make one renewal, and both succeed in the same run", async () => {
  const own = await start();
  const id = await own.connect();
  const old = (await own.auth(id))["oauth_access_token"] ?? "";
  const [first, second] = await Promise.all([own.deployAsking(id, "A"), own.deployAsking(id, "B")]);
  own.service.clock.jump(61_000);
  await own.server.voidAccess(old);
  const gate = Promise.withResolvers<void>();
  own.server.gate = gate.promise;
  const running = Promise.all([own.service.run(first, { method: "POST", again: true }), own.service.run(second)]);
  await expect.poll(() => own.server.asked.length).toBe(2);
  gate.resolve();
  const runs = await running;
  expect(runs.map(({ status }) => status)).toEqual(["ok", "ok"]);
  expect(renewals(own)).toBe(1);
  expect(await own.service.emitted(first)).toEqual([
    { id: person, method: "POST" },
    { id: person, method: "GET" },
  ]);
  // Each run learned of it once; the request after it was sent with the new token at once.
  expect(own.server.asked.map(({ status }) => status)).toEqual([401, 401, 200, 200, 200]);
});

test("a 401 to a token that was just obtained, or to another text, renews nothing", async () => {
  const own = await start();
  const id = await own.connect();
  const source = await own.deployAsking(id);
  await own.server.voidAccess((await own.auth(id))["oauth_access_token"] ?? "");
  expect((await own.service.run(source)).status).toBe("error");
  expect(renewals(own)).toBe(0);
});

test("a refresh that is refused marks the account, and $errors says how to repair it", async () => {
  const own = await start();
  const id = await own.connect();
  const source = await own.deployAsking(id);
  await own.server.voidRefresh((await own.auth(id))["oauth_refresh_token"] ?? "");
  // Still valid for some minutes: the run goes on.
  own.service.clock.jump(hour - 60_000);
  expect((await own.service.run(source)).status).toBe("ok");
  expect((await accountOf(own, id))?.oauth.problem).toMatchObject({ code: "invalid_grant", reconnect: true });
  own.service.clock.jump(60_000);
  const failed = await own.service.run(source);
  expect([failed.status, failed.error?.code]).toEqual(["error", "account_disconnected"]);
  const [record] = await own.service.events(source, "$errors/");
  expect(JSON.stringify(record?.event)).toContain(`x accounts connect acme --account ${id}`);
  // Nobody asks again.
  const refused = own.server.refused.length;
  await own.service.run(source);
  expect(own.server.refused.length).toBe(refused);
});

test("a server that is down is asked again later, and the account recovers", async () => {
  const own = await start();
  const id = await own.connect();
  const source = await own.deployAsking(id);
  let attempts = 0;
  own.server.answers = (_, response) => {
    attempts += 1;
    response.writeHead(503).end();
    return true;
  };
  own.service.clock.jump(hour);
  const failed = await own.service.run(source);
  expect([failed.status, failed.error?.code]).toEqual(["error", "account_failed"]);
  await own.service.run(source);
  expect(attempts).toBe(1);
  expect((await accountOf(own, id))?.oauth.problem).toMatchObject({ code: "network_failed", reconnect: false });
  own.server.answers = undefined;
  own.service.clock.jump(5_000);
  expect((await own.service.run(source)).status).toBe("ok");
  expect((await accountOf(own, id))?.oauth.problem).toBeNull();
});

test("tokens, old and new, are in no execution, log or error", async () => {
  const own = await start();
  const id = await own.connect();
  const before = await own.auth(id);
  const { id: source } = await own.service.deploy(
    `export default { name: "Telling", version: "1", props: { acme: { type: "app", app: "acme" } },
      async run(event) {
        const { oauth_access_token: token } = this.acme.$auth;
        const response = await fetch("${own.server.issuer}/api/me?echo=" + token, { headers: { "x-token": token, authorization: "Bearer " + token } });
        console.log(token, this.acme.$auth.oauth_refresh_token, event.told);
        throw new Error("with " + token + response.status);
      } }`,
    { acme: { authProvisionId: id } },
  );
  own.service.clock.jump(61_000);
  await own.server.voidAccess(before["oauth_access_token"] ?? "");
  await own.service.run(source);
  expect(renewals(own)).toBe(1);
  const after = await own.auth(id);
  const executions = await own.service.call<Data<{ id: string }[]>>("GET", `/sources/${source}/executions`);
  const details = await Promise.all(
    executions.body.data.map(async (each) => (await own.service.call("GET", `/executions/${each.id}`)).body),
  );
  expect(details.length).toBe(1);
  const shown = JSON.stringify([
    details,
    await own.service.events(source, "$errors/"),
    await own.service.events(source, "$logs/"),
    (await own.service.call("GET", `/sources/${source}/logs`)).body,
  ]);
  for (const auth of [before, after])
    for (const field of ["oauth_access_token", "oauth_refresh_token"]) expect(shown).not.toContain(auth[field]);
  expect(shown).toContain("***");
});
