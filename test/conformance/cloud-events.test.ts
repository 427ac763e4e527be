import { HTTP, type CloudEvent } from "cloudevents";
import { afterAll, beforeAll, expect, test } from "vitest";

import { verifyDelivery } from "@x/client";
import type { Json } from "@x/runtime";

import { type Received, type Receiver, startReceiver } from "../../packages/runtime/src/webhooks/receiver.cases.ts";
import { component, type Data, type Service, startService } from "./fixture.ts";
import type { WebhookBody } from "./webhook-bodies.ts";

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

const ts = Date.UTC(2026, 10, 20, 18);
const emitting = component({ name: "Emitting", run: "this.$emit(event.data, { name: event.channel, ts: event.ts })" });

/** What a webhook of this format gets for each run. */
async function deliver(
  format: string,
  runs: readonly { [name: string]: Json }[],
): Promise<{ source: string; key: string; requests: Received[] }> {
  const { id: source } = await service.deploy(emitting);
  const path = `/${format}/${source}`;
  const created = await service.call<Data<WebhookBody>>("POST", "/webhooks", { url: receiver.url + path, format });
  const { id, signing_key: key = "" } = created.body.data;
  await service.call("POST", "/subscriptions", { emitter_id: source, listener_id: id });
  for (const each of ["line", "$errors"])
    await service.call("POST", "/subscriptions", { emitter_id: source, listener_id: id, event_name: each });
  for (const each of runs) await service.run(source, each);
  await service.runtime.idle();
  return { source, key, requests: receiver.received.filter((each) => each.path === path) };
}

const read = ({ headers, body }: Received): CloudEvent => HTTP.toEvent({ headers, body }) as CloudEvent;

const data = { id: "A-1", text: "\u{1F600} é" };
const modes = { cloudevents: "application/cloudevents+json; charset=utf-8", "cloudevents-binary": "application/json" };

test.each(Object.entries(modes))(
  "3.8 the SDK of CloudEvents reads a delivery in the format %s",
  async (format, contentType) => {
    const { source, requests } = await deliver(format, [
      { data, ts },
      { data: [1], channel: "line", ts },
    ]);
    const events = requests.map(read);
    const common = { specversion: "1.0", source: `/v1/sources/${source}`, time: new Date(ts).toISOString() };
    expect(events.map((event) => event.toJSON())).toEqual([
      { ...common, id: requests[0]?.headers["x-emit-id"], type: "default", datacontenttype: "application/json", data },
      {
        ...common,
        id: requests[1]?.headers["x-emit-id"],
        type: "line",
        datacontenttype: "application/json",
        data: [1],
      },
    ]);
    expect(events.every((event) => event.validate())).toBe(true);
    expect(new Set(requests.map(({ headers }) => headers["content-type"]))).toEqual(new Set([contentType]));
    expect((await service.call("GET", `/v1/sources/${source}`.slice(3))).status).toBe(200);
  },
);

test.each([
  ["cloudevents", { specversion: "1.0", data }],
  ["cloudevents-binary", data],
])("G12 a delivery in the format %s is signed as it is sent", async (format, signed) => {
  const { key, requests } = await deliver(format, [{ data, ts }]);
  const [request] = requests;
  if (!request) throw new Error("a delivery was to come");
  const { headers, body } = request;
  const { payload } = await verifyDelivery({ signingKey: key, headers, body, now: service.clock.now() });
  expect(payload).toMatchObject(signed);
  const changed = verifyDelivery({ signingKey: key, headers, body: `${body} `, now: service.clock.now() });
  await expect(changed).rejects.toMatchObject({ code: "wrong_signature" });
});

test("3.8 the format of a webhook can be changed; another one is refused", async () => {
  const created = await service.call<Data<WebhookBody>>("POST", "/webhooks", { url: "http://127.0.0.1:9/" });
  const path = `/webhooks/${created.body.data.id}`;
  for (const format of [...Object.keys(modes), "envelope", "event"]) {
    expect((await service.call("PUT", path, { format })).status).toBe(200);
    expect((await service.call("GET", path)).body).toMatchObject({ data: { format } });
  }
  expect((await service.call("PUT", path, { format: "CloudEvents" })).body).toMatchObject({
    code: "invalid_parameter",
  });
});
