import { afterAll, beforeAll, expect, test } from "vitest";

import { type Receiver, startReceiver } from "../../packages/runtime/src/webhooks/receiver.cases.ts";
import {
  component,
  type Data,
  type ErrorBody,
  type List,
  type Reply,
  type Service,
  type SourceBody,
  startService,
} from "./fixture.ts";

interface WithWebhook extends SourceBody {
  readonly webhook?: { readonly id: string; readonly url: string; readonly signing_key?: string };
}
interface Subscribed {
  readonly emitter_id: string;
  readonly listener_id: string;
  readonly event_name: string;
}

let service: Service;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  service = await startService();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await receiver.close();
});

const code = component({
  name: "Speaker",
  more: 'hooks: { deploy() { this.$emit("history") } },',
  run: 'this.$emit("now"); this.$emit("aside", { name: "side" })',
});
const deploy = (webhook_url: unknown, more: object = {}): Promise<Reply<Data<WithWebhook> & ErrorBody>> =>
  service.call("POST", "/sources", { component_code: code, webhook_url, ...more });
const subscriptions = async (id: string): Promise<readonly Subscribed[]> =>
  (await service.call<Data<Subscribed[]>>("GET", "/users/me/subscriptions")).body.data.filter(
    ({ emitter_id }) => emitter_id === id,
  );
const webhooks = async (url: string): Promise<readonly { id: string; url: string }[]> =>
  (await service.call<List<{ id: string; url: string }>>("GET", "/users/me/webhooks?limit=100")).body.data.filter(
    (each) => each.url === url,
  );
const bodies = (path: string): unknown[] =>
  receiver.received.filter((each) => each.path === path).map(({ body }) => JSON.parse(body) as unknown);

test("S36 webhook_url creates a webhook and subscribes it to events of the deploy hook and of runs", async () => {
  const url = `${receiver.url}/made`;
  const { status, body } = await deploy(url);
  expect(status).toBe(200);
  const { id, webhook } = body.data;
  expect(webhook).toEqual({
    id: expect.stringMatching(/^wh_/) as string,
    url,
    signing_key: expect.stringMatching(/^whsec_/) as string,
  });
  expect(await subscriptions(id)).toMatchObject([{ listener_id: webhook?.id, event_name: "" }]);
  await service.run(id);
  await service.runtime.idle();
  expect(bodies("/made")).toEqual(["history", "now"]);
  const shown = await service.call<Data<WithWebhook>>("GET", `/sources/${id}`);
  expect(shown.body.data).not.toHaveProperty("webhook");
});

test("S36 an existing webhook with that URL is used, also by concurrent deploys; its key is not shown again", async () => {
  const url = `${receiver.url}/shared`;
  const first = (await deploy(url)).body.data;
  const again = (await deploy(url, { name: "again" })).body.data;
  expect(again.webhook).toEqual({ id: first.webhook?.id, url });
  const other = `${receiver.url}/at-once`;
  const both = await Promise.all([deploy(other, { name: "one" }), deploy(other, { name: "two" })]);
  expect(new Set(both.map((reply) => reply.body.data.webhook?.id)).size).toBe(1);
  expect([await webhooks(url), await webhooks(other)].map((found) => found.length)).toEqual([1, 1]);
});

test("S36 an inactive webhook, or one of another format, is not used", async () => {
  const url = `${receiver.url}/apart`;
  const { webhook } = (await deploy(url)).body.data;
  await service.call("PUT", `/webhooks/${webhook?.id}`, { active: false });
  const second = (await deploy(url)).body.data.webhook;
  expect(second?.id).not.toBe(webhook?.id);
  await service.call("PUT", `/webhooks/${second?.id}`, { format: "envelope" });
  expect((await deploy(url)).body.data.webhook?.id).not.toBe(second?.id);
});

test("S36 no second subscription is added beside an equal auto-subscription", async () => {
  const url = `${receiver.url}/auto`;
  const { id } = (await service.call<Data<{ id: string }>>("POST", "/webhooks", { url })).body.data;
  await service.call("POST", "/auto_subscriptions", { event_name: "", listener_id: id });
  const made = await deploy(url);
  expect([made.status, made.body.data.webhook]).toEqual([200, { id, url }]);
  expect(await subscriptions(made.body.data.id)).toHaveLength(1);
  await service.call("DELETE", `/auto_subscriptions?event_name=&listener_id=${id}`);
});

test.each([
  ["example.com", "invalid_parameter"],
  ["ftp://example.com/", "invalid_parameter"],
  ["", "invalid_parameter"],
  [5, "invalid_parameter"],
  ["http://10.0.0.1/hook", "address_forbidden"],
])("S36 webhook_url %j is 400 %s, and nothing is created", async (url, code) => {
  const sourcesBefore = (await service.call<List<object>>("GET", "/users/me/sources")).body.page_info.total_count;
  const reply = await deploy(url, { component_code: "not even code (" });
  expect([reply.status, reply.body.code, reply.body.details.parameter]).toEqual([400, code, "webhook_url"]);
  const { page_info } = (await service.call<List<object>>("GET", "/users/me/sources")).body;
  expect(page_info.total_count).toBe(sourcesBefore);
});

test("S36 a deploy whose hook throws leaves no webhook, and a hook that emits many events loses none", async () => {
  const url = `${receiver.url}/failed`;
  const failing = component({ more: 'hooks: { activate() { throw new Error("no") } },' });
  expect((await deploy(url, { component_code: failing })).status).toBe(422);
  expect(await webhooks(url)).toEqual([]);
  const many = component({ more: "hooks: { deploy() { for (let n = 0; n < 130; n++) this.$emit(n) } }," });
  const lots = `${receiver.url}/lots`;
  expect((await deploy(lots, { component_code: many })).status).toBe(200);
  await service.runtime.idle();
  expect(bodies("/lots")).toHaveLength(130);
});

test("S36 deleting the source deletes its subscription, and keeps the webhook", async () => {
  const url = `${receiver.url}/stays`;
  const { id } = (await deploy(url)).body.data;
  expect((await service.call("DELETE", `/sources/${id}`)).status).toBe(204);
  expect(await subscriptions(id)).toEqual([]);
  expect(await webhooks(url)).toHaveLength(1);
  expect((await service.call("PATCH", `/sources/${id}`, { webhook_url: url })).status).toBe(400);
});
