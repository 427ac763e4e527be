import { createHmac } from "node:crypto";

import { afterAll, beforeAll, expect, test } from "vitest";

import { Webhook as Verifier } from "standardwebhooks";

import { type Json, manualClock } from "@x/runtime";

import {
  answer,
  type Received,
  type Receiver,
  startReceiver,
} from "../../packages/runtime/src/webhooks/receiver.cases.ts";
import {
  component,
  type Data,
  type ErrorBody,
  type List,
  type Reply,
  type Service,
  startService,
  startUpstream,
  type Upstream,
} from "./fixture.ts";
import type { DeliveryBody, WebhookBody } from "./webhook-bodies.ts";

let service: Service;
let receiver: Receiver;
let upstream: Upstream;
beforeAll(async () => {
  receiver = await startReceiver();
  upstream = await startUpstream();
  service = await startService({ network: { upstream: upstream.url } });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
  await receiver.close();
});

const emitting = component({ name: "Emitting", run: "this.$emit(event.data, { name: event.channel, ts: event.ts })" });
const create = (values: { [name: string]: string }): Promise<Reply<Data<WebhookBody> & ErrorBody>> =>
  service.call("POST", `/webhooks?${new URLSearchParams(values).toString()}`);
const read = async (id: string): Promise<WebhookBody> =>
  (await service.call<Data<WebhookBody>>("GET", `/webhooks/${id}`)).body.data;
const deliveries = async (id: string, page = ""): Promise<readonly DeliveryBody[]> =>
  (await service.call<List<DeliveryBody>>("GET", `/webhooks/${id}/deliveries${page}`)).body.data;
const requests = (path: string): Received[] => receiver.received.filter((each) => each.path === path);

/** A source whose events are sent to a webhook with this path. */
async function connect(
  path: string,
  more: { [name: string]: string } = {},
): Promise<{ source: string; webhook: WebhookBody; emit(data: Json, rest?: { [name: string]: Json }): Promise<void> }> {
  const source = await service.deploy(emitting);
  const webhook = (await create({ url: receiver.url + path, ...more })).body.data;
  const subscription = new URLSearchParams({ emitter_id: source.id, listener_id: webhook.id });
  await service.call("POST", `/subscriptions?${subscription.toString()}`);
  return {
    source: source.id,
    webhook,
    async emit(data, rest = {}) {
      await service.run(source.id, { data, ...rest });
      await service.runtime.idle();
    },
  };
}

/** Makes every attempt of the schedule due, in sequence. */
async function exhaust(): Promise<void> {
  for (let attempt = 1; attempt < 10; attempt += 1) await service.advance(30 * 3_600_000);
}

/** True when one of the signatures was made with the key. */
function isSigned({ headers, body }: Received, key = ""): boolean {
  const content = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${body}`;
  const mac = createHmac("sha256", Buffer.from(key.slice("whsec_".length), "base64"))
    .update(content)
    .digest("base64");
  return String(headers["webhook-signature"]).split(" ").includes(`v1,${mac}`);
}

test("a delivery is shown with its event, as long as it is kept", async () => {
  const { webhook, emit } = await connect("/with-event");
  await emit({ id: "A-1" });
  const [delivery] = await deliveries(webhook.id);
  const { status, body } = await service.call<Data<object>>(
    "GET",
    `/webhooks/${webhook.id}/deliveries/${delivery?.id}`,
  );
  expect(status).toBe(200);
  const attempts = delivery?.attempts.map((attempt) => ({ ...attempt, response: { headers: {}, body_bytes: 0 } }));
  expect(body.data).toEqual({ ...delivery, attempts, event: { id: "A-1" } });
  expect((await service.call("GET", `/webhooks/${webhook.id}/deliveries/dlv_none`)).status).toBe(404);
});

test("a delivery is shown with what the receiver answered to each attempt", async () => {
  const { webhook, emit } = await connect("/answering");
  receiver.on("/answering", (response, _request, nth) => {
    if (nth === 1) response.writeHead(503, { "Retry-After": "5", "content-type": "text/plain" }).end("busy, ü");
    else response.end(Buffer.from([0xff]));
  });
  await emit(1);
  await service.advance(60_000);
  const [listed] = await deliveries(webhook.id);
  expect(listed?.attempts.every((attempt) => !("response" in attempt))).toBe(true);
  const path = `/webhooks/${webhook.id}/deliveries/${listed?.id}`;
  const { attempts } = (await service.call<Data<DeliveryBody>>("GET", path)).body.data;
  expect(attempts).toMatchObject([
    {
      http_status: 503,
      duration_ms: expect.any(Number) as number,
      response: { headers: { "retry-after": "5", "content-type": "text/plain" }, body: "busy, ü", body_bytes: 8 },
    },
    { http_status: 200, error: null, response: { headers: {}, body_base64: "/w==", body_bytes: 1 } },
  ]);
});

test("deliveries of one status are listed in pages with their number; another status is refused", async () => {
  const { webhook, emit } = await connect("/sorted");
  receiver.on("/sorted", (response, { body }) => response.writeHead(body === "1" ? 204 : 503).end());
  for (const data of [0, 1, 2, 0]) await emit(data);
  await exhaust();
  for (const data of [1, 2]) await emit(data);
  const list = async (query: string): Promise<List<DeliveryBody>> =>
    (await service.call<List<DeliveryBody>>("GET", `/webhooks/${webhook.id}/deliveries?${query}`)).body;
  const dead = await list("status=dead&limit=2");
  expect([dead.page_info.total_count, dead.data.map(({ status }) => status)]).toEqual([3, ["dead", "dead"]]);
  const rest = await list(`status=dead&limit=2&after=${dead.page_info.end_cursor}`);
  expect([rest.page_info.total_count, rest.data.map(({ status }) => status)]).toEqual([3, ["dead"]]);
  expect((await list("status=delivered")).page_info.total_count).toBe(2);
  expect((await list("status=pending")).data.map(({ status }) => status)).toEqual(["pending"]);
  expect((await list("status=")).page_info.total_count).toBe(6);
  const refused = await service.call("GET", `/webhooks/${webhook.id}/deliveries?status=failed`);
  expect([refused.status, refused.body.details.parameter]).toEqual([400, "status"]);
});

test("G14 PUT changes the given fields; DELETE deletes the webhook and its subscriptions", async () => {
  const { source, webhook } = await connect("/changed");
  const url = `/webhooks/${webhook.id}`;
  const changed = await service.call<Data<WebhookBody>>("PUT", url, { name: "New", active: false });
  expect(changed.body.data).toMatchObject({ name: "New", active: false, url: webhook.url });
  expect((await service.call<Data<WebhookBody>>("PUT", url, { name: null })).body.data.name).toBeNull();
  for (const body of [{ url: "example.com" }, { active: "no" }, { name: 5 }, { signing_key: "whsec_x" }]) {
    expect((await service.call("PUT", url, body)).status).toBe(400);
  }
  expect((await service.call("DELETE", url)).status).toBe(204);
  for (const [method, path] of [
    ["GET", url],
    ["DELETE", url],
    ["PUT", url],
    ["GET", `${url}/deliveries`],
    ["POST", `${url}/rotate_key`],
  ] as const) {
    expect([path, (await service.call(method, path)).status]).toEqual([path, 404]);
  }
  const left = await service.call<Data<{ emitter_id: string }[]>>("GET", "/users/me/subscriptions");
  expect(left.body.data.some(({ emitter_id }) => emitter_id === source)).toBe(false);
});

test("G11 the event itself is posted as JSON, with its metadata in the headers", async () => {
  const { source, webhook, emit } = await connect("/plain");
  await emit({ title: "A", n: [1, null] }, { ts: 1_795_190_499_000 });
  const [request] = requests("/plain");
  const [event] = await service.events(source);
  expect(request?.body).toBe('{"title":"A","n":[1,null]}');
  expect(request?.headers).toMatchObject({
    "content-type": "application/json",
    "webhook-id": `msg_${event?.metadata["emit_id"] as string}`,
    "webhook-timestamp": String(Math.floor(service.clock.now() / 1000)),
    "x-attempt": "1",
    "x-emit-id": event?.metadata["emit_id"],
    "x-emitter-id": source,
    "x-event-id": event?.id,
    "x-event-name": "",
    "x-event-ts": "1795190499000",
  });
  expect(request && isSigned(request, webhook.signing_key)).toBe(true);
});

test("S7 the upstream receives requests of components, and deliveries go to their real URL", async () => {
  const { source, webhook } = await connect("/direct");
  const asking = component({ run: 'await fetch("https://api.example.test/v2/items?x=1"); this.$emit("asked")' });
  const other = await service.deploy(asking);
  await service.call("POST", "/subscriptions", { emitter_id: other.id, listener_id: webhook.id });
  await service.run(source, { data: 1 });
  await service.run(other.id);
  await service.runtime.idle();
  expect(upstream.received.map(({ path }) => path)).toEqual(["/v2/items?x=1"]);
  expect(requests("/direct").map(({ body }) => body)).toEqual(["1", '"asked"']);
});

test("3.8 an envelope has id, time, name and emitter in the body", async () => {
  const { source, emit } = await connect("/envelope", { format: "envelope" });
  await emit({ n: 1 });
  const [event] = await service.events(source);
  expect(JSON.parse(requests("/envelope")[0]?.body ?? "")).toEqual({
    id: event?.id,
    ts: event?.indexed_at_ms,
    name: "",
    emitter_id: source,
    event: { n: 1 },
  });
});

test("S13 deliveries are listed with their attempts", async () => {
  const { source, webhook, emit } = await connect("/listed");
  await emit(1);
  await emit(2);
  const [second, first] = await deliveries(webhook.id);
  const events = await service.events(source);
  expect(first).toEqual({
    id: expect.stringMatching(/^dlv_/) as string,
    webhook_id: webhook.id,
    event_id: events[0]?.id,
    emitter_id: source,
    event_name: "",
    status: "delivered",
    attempts: [
      {
        at: Math.floor(service.clock.now() / 1000),
        http_status: 204,
        error: null,
        duration_ms: expect.any(Number) as number,
      },
    ],
    next_attempt_at: null,
    created_at: Math.floor(service.clock.now() / 1000),
  });
  expect(second?.event_id).toBe(events[1]?.id);
  const page = await service.call<List<DeliveryBody>>("GET", `/webhooks/${webhook.id}/deliveries?limit=1`);
  expect(page.body.page_info).toMatchObject({ total_count: 2, count: 1 });
  const after = await deliveries(webhook.id, `?after=${page.body.page_info.end_cursor}`);
  expect(after.map(({ id }) => id)).toEqual([first?.id]);
});

test("G12 a retry has the same id and its own signature; the previous key also signs for a day after a rotation", async () => {
  const { webhook, emit } = await connect("/rotated");
  receiver.on("/rotated", (response, request, nth) => answer(nth === 1 ? 500 : 204)(response, request, nth));
  await emit({ n: 1 });
  const rotated = await service.call<Data<WebhookBody>>("POST", `/webhooks/${webhook.id}/rotate_key`);
  expect(rotated.status).toBe(200);
  const key = rotated.body.data.signing_key;
  expect(key).toMatch(/^whsec_/);
  expect(key).not.toBe(webhook.signing_key);
  // The time of the retry with the most jitter.
  await service.advance(6_000);
  const [first, second] = requests("/rotated");
  if (!first || !second) throw new Error("two attempts were to come");
  expect(second.headers["webhook-id"]).toBe(first.headers["webhook-id"]);
  expect(second.headers["webhook-timestamp"]).not.toBe(first.headers["webhook-timestamp"]);
  expect([isSigned(first, webhook.signing_key), isSigned(first, key)]).toEqual([true, false]);
  expect([isSigned(second, webhook.signing_key), isSigned(second, key)]).toEqual([true, true]);
  await service.advance(24 * 3_600_000);
  await emit({ n: 2 });
  const last = requests("/rotated").at(-1);
  expect(last && [isSigned(last, webhook.signing_key), isSigned(last, key)]).toEqual([false, true]);
});

test("G12 the published verifier of Standard Webhooks accepts a delivery, and refuses a changed one", async () => {
  // The verifier checks the timestamp by its own clock.
  const own = await startService({ clock: manualClock(Date.now()) });
  try {
    const source = await own.deploy(emitting);
    const created = await own.call<Data<WebhookBody>>("POST", "/webhooks", { url: `${receiver.url}/verified` });
    const { id, signing_key: key = "" } = created.body.data;
    await own.call("POST", "/subscriptions", { emitter_id: source.id, listener_id: id });
    await own.run(source.id, { data: { text: "\u{1F600} \u2028" } });
    await own.runtime.idle();
    const [request] = requests("/verified");
    if (!request) throw new Error("a delivery was to come");
    const headers = request.headers as Record<string, string>;
    expect(new Verifier(key).verify(request.body, headers)).toEqual({ text: "\u{1F600} \u2028" });
    expect(() => new Verifier(key).verify(`${request.body} `, headers)).toThrow("signature");
    const later = { ...headers, "webhook-timestamp": String(Number(headers["webhook-timestamp"]) + 1) };
    expect(() => new Verifier(key).verify(request.body, later)).toThrow("signature");
  } finally {
    await own[Symbol.asyncDispose]();
  }
});

test("G13 after the tenth attempt a delivery is dead, and the emitter has an $errors record", async () => {
  const { source, webhook, emit } = await connect("/dead");
  receiver.on("/dead", answer(500));
  const subscription = new URLSearchParams({ emitter_id: source, listener_id: webhook.id, event_name: "$errors" });
  await service.call("POST", `/subscriptions?${subscription.toString()}`);
  await emit({ n: 1 });
  expect((await deliveries(webhook.id))[0]).toMatchObject({ status: "pending", attempts: [{ http_status: 500 }] });
  await exhaust();
  const [dead] = (await deliveries(webhook.id)).filter(({ event_name }) => event_name === "");
  expect([dead?.status, dead?.attempts.length, dead?.next_attempt_at]).toEqual(["dead", 10, null]);
  expect((await service.events(source, "$errors/")).map(({ event }) => event)).toMatchObject([
    { original_event: { n: 1 }, error: { code: "delivery_failed", cellId: "c_delivery" } },
  ]);
  // The delivery of the error record fails too, and adds no further record.
  await exhaust();
  expect((await deliveries(webhook.id)).map(({ status }) => status)).toEqual(["dead", "dead"]);
  expect(await service.events(source, "$errors/")).toHaveLength(1);
});

test("S13 a dead delivery can be sent again", async () => {
  const { webhook, emit } = await connect("/again");
  receiver.on("/again", answer(410));
  await emit({ n: 1 });
  await service.call("PUT", `/webhooks/${webhook.id}`, { active: true });
  const [dead] = await deliveries(webhook.id);
  expect([dead?.status, dead?.attempts.length]).toEqual(["dead", 1]);
  receiver.on("/again", answer(200));
  const path = `/webhooks/${webhook.id}/deliveries/${dead?.id ?? ""}/redeliver`;
  const again = await service.call<Data<DeliveryBody>>("POST", path);
  expect([again.status, again.body.data.status]).toEqual([200, "pending"]);
  await service.runtime.idle();
  const [redelivered] = await deliveries(webhook.id);
  expect([redelivered?.id, redelivered?.status, redelivered?.attempts.length]).toEqual([dead?.id, "delivered", 2]);
  expect(requests("/again").at(-1)).toMatchObject({ body: '{"n":1}', headers: { "x-attempt": "2" } });
  const unknown = await service.call("POST", `/webhooks/${webhook.id}/deliveries/dlv_x/redeliver`);
  expect([unknown.status, unknown.body.code]).toEqual([404, "not_found"]);
});

test("G13 410 makes the webhook inactive", async () => {
  const { webhook, emit } = await connect("/gone");
  receiver.on("/gone", answer(410));
  await emit(1);
  expect(await read(webhook.id)).toMatchObject({ active: false });
  expect((await deliveries(webhook.id)).map(({ status }) => status)).toEqual(["dead"]);
});

test("S19 the next attempt is at the later time of schedule and Retry-After", async () => {
  const { webhook, emit } = await connect("/later");
  receiver.on("/later", answer(503, { "retry-after": "3600" }));
  await emit(1);
  const [waiting] = await deliveries(webhook.id);
  expect(waiting?.next_attempt_at).toBe(Math.ceil(service.clock.now() / 1000) + 3_600);
});

test("G13 a redirect is a failure and is never followed", async () => {
  const { webhook, emit } = await connect("/moved");
  receiver.on("/moved", answer(307, { location: `${receiver.url}/target` }));
  await emit(1);
  expect((await deliveries(webhook.id))[0]).toMatchObject({ status: "pending", attempts: [{ http_status: 307 }] });
  expect(requests("/target")).toEqual([]);
});

test("S49 events for a paused webhook wait, and are sent when it is resumed, oldest first", async () => {
  const { webhook, emit } = await connect("/off");
  const path = `/webhooks/${webhook.id}`;
  await service.call("PUT", path, { active: false });
  for (const value of [1, 2]) await emit(value);
  expect((await deliveries(webhook.id)).map(({ status }) => status)).toEqual(["pending", "pending"]);
  expect(requests("/off")).toEqual([]);
  expect(await read(webhook.id)).toMatchObject({ active: false, skipped_events: 0 });
  await service.call("PUT", path, { active: true });
  await emit(3);
  await service.runtime.idle();
  expect(requests("/off").map(({ body }) => body)).toEqual(["1", "2", "3"]);
  await service.call("PUT", path, { active: false });
  const [delivered] = await deliveries(webhook.id);
  const refused = await service.call("POST", `${path}/deliveries/${delivered?.id ?? ""}/redeliver`);
  expect([refused.status, refused.body.code]).toEqual([409, "inactive"]);
});

test("G13 pending deliveries wait while their webhook is inactive", async () => {
  const { webhook, emit } = await connect("/held");
  receiver.on("/held", (response, request, nth) => answer(nth === 1 ? 500 : 204)(response, request, nth));
  await emit(1);
  await service.call("PUT", `/webhooks/${webhook.id}`, { active: false });
  await service.advance(60_000);
  expect(requests("/held")).toHaveLength(1);
  await service.call("PUT", `/webhooks/${webhook.id}`, { active: true });
  await service.runtime.idle();
  expect(requests("/held").map(({ body }) => body)).toEqual(["1", "1"]);
});
