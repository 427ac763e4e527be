import { createHmac } from "node:crypto";

import { afterAll, beforeAll, expect, test } from "vitest";

import { manualClock } from "@x/runtime";

import { vector, vectorMs } from "../../packages/runtime/src/app-events/app-trial.cases.ts";
import type { Vector } from "../../packages/runtime/src/signatures/vectors.cases.ts";
import { apiKey, type Data, type Service, type SourceBody, startService } from "../conformance/fixture.ts";
import * as components from "./components.ts";

let service: Service;
beforeAll(async () => {
  service = await startService({ clock: manualClock(vectorMs) });
});
afterAll(() => service[Symbol.asyncDispose]());

const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
  const reply = await service.call<Data<T>>(method, path, body);
  expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
  return reply.body.data;
};

/** The URL of the endpoint of an app. */
const endpoint = async (app: string, body: object): Promise<string> =>
  (await call<{ endpoint_url: string }>("PUT", `/apps/${app}/endpoint`, body)).endpoint_url;

/** A source of a component with an account that has these credentials. */
async function listening(code: string, app: string, auth: object, props: object = {}): Promise<SourceBody> {
  const { id } = await call<{ id: string }>("POST", "/accounts", { app, auth });
  return service.deploy(code, { ...props, [app]: { authProvisionId: id } });
}

/** Sends what a service sends. */
async function send(url: string, { body, headers }: Pick<Vector, "body" | "headers">): Promise<number> {
  const { pathname } = new URL(url);
  const answer = await fetch(service.url + pathname, { method: "POST", body, headers });
  expect(await answer.text()).toBe("");
  await service.runtime.idle();
  return answer.status;
}

const emitted = async ({ id }: SourceBody): Promise<readonly unknown[]> => service.emitted(id);

/** The request of a vector with another body, signed anew. */
function signed(
  name: string,
  body: string,
  header: string,
  text: (body: string) => string,
  encoding: "hex" | "base64",
) {
  const { secret, headers } = vector(name);
  const prefix = /^(?:v0=|sha256=)?/.exec(headers[header] ?? "")?.[0] ?? "";
  const signature = createHmac("sha256", secret).update(text(body)).digest(encoding);
  return { body, headers: { ...headers, [header]: prefix + signature } };
}

test("A9 slack: messages of a channel, and pressed buttons", async () => {
  const url = await endpoint("slack", { secret: "slack-secret" });
  const direct = await listening(
    components.slackMessages,
    "slack",
    { team_id: "T1", oauth_uid: "U1" },
    { channels: ["D1"] },
  );
  const other = await listening(components.slackMessages, "slack", { team_id: "T1", oauth_uid: "U9" });
  const actions = await listening(components.slackActions, "slack", { team_id: "T1" });
  expect(direct.configured_props["slackApphook"]).toEqual({ event_names: ["message:D1"], endpoint_url: url });
  expect(await send(url, vector("V1"))).toBe(200);
  expect(await send(url, vector("V1"))).toBe(200);
  expect(await emitted(direct)).toEqual([
    {
      type: "message",
      channel_type: "im",
      channel: "D1",
      user: "U2",
      text: "hi",
      event_ts: "1795190400.000100",
      team: "T1",
    },
  ]);
  expect(await emitted(other)).toEqual([]);
  expect(await send(url, vector("V3"))).toBe(200);
  expect(await emitted(actions)).toEqual([{ user: "U2", action: "ok" }]);
});

test("A9 zoom and zoom_admin: meetings, of the host and of the account", async () => {
  const url = await endpoint("zoom", { secret: "zoom-secret" });
  const mine = await listening(components.zoomMeetings, "zoom", { oauth_uid: "Z1" });
  const others = await listening(components.zoomMeetings, "zoom", { oauth_uid: "Z2" });
  expect(await send(url, vector("V4"))).toBe(200);
  expect([await emitted(mine), await emitted(others)]).toEqual([[{ event: "meeting.created", topic: "t" }], []]);
  const admin = await endpoint("zoom_admin", { secret: "zoom-secret" });
  const all = await listening(components.zoomAdminMeetings, "zoom_admin", { account_id: "A1" });
  await listening(components.zoomAdminMeetings, "zoom_admin", { account_id: "A2" });
  expect(await send(admin, vector("V4"))).toBe(200);
  expect(await emitted(all)).toEqual([{ event: "meeting.created", topic: "t" }]);
});

test("A17 discord: what a bridge brings from the gateway", async () => {
  const source = await listening(components.discordMessages, "discord", { guild_id: "G1" }, { channels: ["C9"] });
  await listening(components.discordMessages, "discord", { guild_id: "G2" }, { channels: ["C9"] });
  const message = { id: "m1", guildID: "G1", channel: "C9", content: "hi", createdTimestamp: vectorMs };
  const events = [
    { id: "m1", names: ["C9"], accounts: [{ guild_id: "G1" }], data: message },
    { id: "m2", names: ["C1"], accounts: [{ guild_id: "G1" }], data: { ...message, id: "m2" } },
  ];
  const results = await call<unknown>("POST", "/apps/discord/events", { events });
  expect(results).toEqual([
    { id: "m1", duplicate: false, sources: [source.id] },
    { id: "m2", duplicate: false, sources: [] },
  ]);
  await service.runtime.idle();
  expect(await emitted(source)).toEqual([message]);
});

test("A9 strava: activities of an athlete, and its subscription", async () => {
  const url = await endpoint("strava", { secret: "STRAVA" });
  const source = await listening(components.stravaActivities, "strava", { oauth_uid: "134815" });
  const event = {
    aspect_type: "create",
    event_time: 1_795_190_400,
    object_id: 1_360,
    object_type: "activity",
    owner_id: 134_815,
  };
  const request = { body: JSON.stringify(event), headers: {} };
  expect([await send(url, request), await send(url, request)]).toEqual([200, 200]);
  expect(await emitted(source)).toEqual([{ activity: 1_360 }]);
  const asked = `${service.url}${new URL(url).pathname}?hub.mode=subscribe&hub.challenge=c1&hub.verify_token=`;
  expect(await (await fetch(`${asked}STRAVA`)).json()).toEqual({ "hub.challenge": "c1" });
  expect((await fetch(`${asked}other`)).status).toBe(401);
});

test("A9 dropbox: equal bodies are different news", async () => {
  const url = await endpoint("dropbox", { secret: "dropbox-secret" });
  const [a, b] = [
    await listening(components.dropboxFiles, "dropbox", { oauth_uid: "dbid:A" }),
    await listening(components.dropboxFiles, "dropbox", { oauth_uid: "dbid:B" }),
  ];
  expect([await send(url, vector("V11")), await send(url, vector("V11"))]).toEqual([200, 200]);
  expect(await emitted(a)).toEqual([1, 2].map((cursor) => ({ cursor, account: "dbid:A" })));
  expect(await emitted(b)).toHaveLength(2);
  const challenge = await fetch(`${service.url}${new URL(url).pathname}?challenge=abc`);
  expect([challenge.status, await challenge.text(), challenge.headers.get("x-content-type-options")]).toEqual([
    200,
    "abc",
    "nosniff",
  ]);
});

test("A9 shopify: orders of a shop", async () => {
  const url = await endpoint("shopify", { secret: "shopify-secret" });
  const source = await listening(components.shopifyOrders, "shopify", { shop_id: "acme" });
  await listening(components.shopifyOrders, "shopify", { shop_id: "other" });
  expect([await send(url, vector("V8")), await send(url, vector("V8"))]).toEqual([200, 200]);
  expect(await emitted(source)).toEqual([{ shop_id: 954_889, shop_domain: "acme.myshopify.com" }]);
});

test("A9 github: issues of an installation; a ping reaches nobody", async () => {
  const url = await endpoint("github", { secret: "github-secret" });
  const source = await listening(components.githubIssues, "github", { installation_id: 7 });
  expect(await send(url, vector("V6"))).toBe(200);
  const ping = signed("V6", `{"zen":"x","installation":{"id":7}}`, "x-hub-signature-256", (body) => body, "hex");
  expect(await send(url, { ...ping, headers: { ...ping.headers, "x-github-event": "ping" } })).toBe(200);
  expect(await emitted(source)).toEqual([{ action: "opened", installation: 7 }]);
});

test("A8 the secret of an endpoint is in no answer, and users see only their own", async () => {
  const put = await service.call("PUT", "/apps/acme/endpoint", { service: "github", secret: "a-secret-text" });
  const get = await service.call<Data<{ secrets: number }>>("GET", "/apps/acme/endpoint");
  const list = await service.call<Data<readonly { app: string; endpoint_url: string | null }[]>>(
    "GET",
    "/users/me/apps",
  );
  expect([put.status, get.status, get.body.data.secrets]).toEqual([200, 200, 1]);
  expect(JSON.stringify([put.body, get.body, list.body])).not.toContain("a-secret-text");
  expect(list.body.data.find(({ app }) => app === "acme")?.endpoint_url).toContain("/in/");
  const user = await service.runtime.addUser({ username: "other", email: "other@example.com" });
  const foreign = await service.call("GET", "/apps/acme/endpoint", undefined, {
    authorization: `Bearer ${user.apiKey}`,
  });
  expect(foreign.status).toBe(404);
  expect(apiKey).not.toBe(user.apiKey);
});

test.each([
  [{ service: "slak", secret: "s" }, "service"],
  [{ secret: "" }, "secret"],
  [{}, "secret"],
  [{ scheme: "hmac", secret: "s", code: "export default { receive() {} }" }, "header"],
  [{ secret: "s", header: "x" }, "header"],
])("A8 %j is refused", async (body, parameter) => {
  const { status, body: error } = await service.call("PUT", "/apps/slack/endpoint", body);
  expect([status, error.code, error.details.parameter]).toEqual([400, "invalid_parameter", parameter]);
});

test("A19 an endpoint of all users addresses accounts strictly", async () => {
  const user = await service.runtime.addUser({ username: "tenant", email: "tenant@example.com" });
  const tenant = service.runtime.as(user.id);
  const account = async (auth: { [name: string]: string }): Promise<{ authProvisionId: string }> => ({
    authProvisionId: (await tenant.createAccount({ app: "slack_v2", auth })).id,
  });
  const code = components.slackMessages.replace(`app: "slack"`, `app: "slack_v2"`);
  const addressed = await tenant.deploy({ code, props: { slack: await account({ team_id: "T1", oauth_uid: "U1" }) } });
  const url = await endpoint("slack_v2", { secret: "slack-secret", all_users: true });
  await expect(tenant.putAppEndpoint({ app: "slack_v2", secret: "s", allUsers: true })).rejects.toMatchObject({
    code: "invalid_parameter",
  });
  expect(addressed.component.shape.warnings?.map(({ rule }) => rule)).toEqual(["no-app-endpoint"]);
  expect(await send(url, vector("V1"))).toBe(200);
  const { items } = await tenant.storedEvents(addressed.source.id, "emits", { limit: 10 });
  expect(items).toHaveLength(1);
});
