import { afterAll, beforeAll, expect, test } from "vitest";

import { type Data, type ErrorBody, type List, type Reply, type Service, startMs, startService } from "./fixture.ts";
import type { WebhookBody } from "./webhook-bodies.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const create = (values: { [name: string]: string }): Promise<Reply<Data<WebhookBody> & ErrorBody>> =>
  service.call("POST", `/webhooks?${new URLSearchParams(values).toString()}`);
const common = ["id", "name", "description", "url", "active", "created_at", "updated_at"];

test("R106 POST /webhooks answers 200 with the new webhook", async () => {
  const reply = await create({ url: "https://example.test/hook" });
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({ data: expect.objectContaining({ url: "https://example.test/hook" }) as object });
  const shown = await service.call<Data<WebhookBody>>("GET", `/webhooks/${reply.body.data.id}`);
  expect(shown.body.data).toMatchObject({ id: reply.body.data.id, url: "https://example.test/hook" });
});

test("R015 a webhook shows its fields; user_id and the key are in the create response only", async () => {
  const made = (await create({ url: "https://example.test/hook" })).body.data;
  expect(made).toEqual({
    id: expect.stringMatching(/^wh_/) as string,
    user_id: expect.stringMatching(/^u_/) as string,
    name: null,
    description: null,
    url: "https://example.test/hook",
    active: true,
    created_at: Math.floor(startMs / 1000),
    updated_at: Math.floor(startMs / 1000),
    signing_key: expect.stringMatching(/^whsec_/) as string,
  });
  const shown = await service.call<Data<object>>("GET", `/webhooks/${made.id}`);
  expect(Object.keys(shown.body.data).toSorted()).toEqual([...common, "format", "skipped_events"].toSorted());
  const list = await service.call<List<WebhookBody>>("GET", "/users/me/webhooks?limit=1");
  expect(Object.keys(list.body.data[0] ?? {}).toSorted()).toEqual(common.toSorted());
});

test("R016 a new webhook is active, and only a PUT changes that", async () => {
  const { id, active } = (await create({ url: "https://example.test/hook" })).body.data;
  const read = async (): Promise<boolean> =>
    (await service.call<Data<WebhookBody>>("GET", `/webhooks/${id}`)).body.data.active;
  expect([active, await read()]).toEqual([true, true]);
  await service.call("PUT", `/webhooks/${id}`, { name: "Renamed" });
  expect(await read()).toBe(true);
  await service.call("PUT", `/webhooks/${id}`, { active: false });
  expect(await read()).toBe(false);
});

test("R106 name and description are optional, in the query or in a JSON body; the query wins", async () => {
  const named = await create({ url: "https://example.test/", name: "Archive", description: "Keeps all" });
  expect(named.body.data).toMatchObject({ name: "Archive", description: "Keeps all" });
  const body = { url: "https://example.test/body", name: "Body" };
  const both = await service.call<Data<WebhookBody>>("POST", "/webhooks?name=Query", body);
  expect(both.body.data).toMatchObject({ url: body.url, name: "Query" });
  const missing = await create({ name: "Nowhere" });
  expect([missing.status, missing.body.code]).toEqual([400, "missing_parameter"]);
});

test.each([
  "https://example.com",
  "http://example.com",
  "https://example.com:12345/endpoint",
  "http://u:p@example.com/x",
])("R107 %s is a URL of a webhook", async (url) => {
  const reply = await create({ url });
  expect([reply.status, reply.body.data.url]).toEqual([200, url]);
});

test.each([
  "example.com",
  "mysql://user:pass@h:1",
  "https://",
  "//h/x",
  "",
  "https:example.com",
  "http:///x",
  "ftp://h",
  "http://a b/",
])("R107 %j is not a URL of a webhook", async (url) => {
  const reply = await create({ url });
  expect([reply.status, reply.body.code, reply.body.details]).toMatchObject([
    400,
    "invalid_parameter",
    { parameter: "url" },
  ]);
});

test("R107 a URL with a host that is longer than a DNS name is not a URL of a webhook", async () => {
  const reply = await create({ url: `http://${"é".repeat(1_100)}/` });
  expect([reply.status, reply.body.code]).toEqual([400, "invalid_parameter"]);
});

test.each(["http://10.0.0.1/hook", "http://169.254.169.254/", "http://[fd00::1]/", "http://192.168.1.1:8080/"])(
  "S14 %s is an address that policy forbids",
  async (url) => {
    const reply = await create({ url });
    expect([reply.status, reply.body.code]).toEqual([400, "address_forbidden"]);
  },
);

test("R108 webhooks are listed in pages, newest first", async () => {
  const ids = [];
  for (const n of [1, 2, 3]) ids.push((await create({ url: `https://example.test/${n}` })).body.data.id);
  const first = await service.call<List<WebhookBody>>("GET", "/users/me/webhooks?limit=2");
  expect(first.body.data.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
  const { total_count, end_cursor } = first.body.page_info;
  expect(total_count).toBeGreaterThanOrEqual(3);
  const next = await service.call<List<WebhookBody>>("GET", `/users/me/webhooks?limit=1&after=${end_cursor}`);
  expect(next.body.data.map(({ id }) => id)).toEqual([ids[0]]);
});
