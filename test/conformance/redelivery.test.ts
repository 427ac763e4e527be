import { afterAll, beforeAll, expect, test } from "vitest";

import { answer, type Receiver, startReceiver } from "../../packages/runtime/src/webhooks/receiver.cases.ts";
import { type Data, type List, type Service, startService } from "./fixture.ts";
import type { DeliveryBody } from "./webhook-bodies.ts";
import { connect } from "./webhook-fixture.ts";

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

const dayMs = 24 * 3_600_000;
const seconds = (ms: number): number => Math.floor(ms / 1_000);

const deliveries = async (id: string): Promise<readonly DeliveryBody[]> =>
  (await service.call<List<DeliveryBody>>("GET", `/webhooks/${id}/deliveries`)).body.data;

test("S49 a delivery that is sent again with wait answers the outcome of the attempt", async () => {
  const { webhook, emit } = await connect(service, receiver.url + "/waited");
  receiver.on("/waited", (response, request, nth) =>
    answer(nth === 1 ? 410 : nth === 2 ? 500 : 204)(response, request, nth),
  );
  await emit(1);
  await service.call("PUT", `/webhooks/${webhook.id}`, { active: true });
  const [dead] = await deliveries(webhook.id);
  const path = `/webhooks/${webhook.id}/deliveries/${dead?.id ?? ""}/redeliver`;
  const outcome = async () => (await service.call<Data<DeliveryBody>>("POST", path, { wait: true })).body.data;
  expect(await outcome()).toMatchObject({ status: "pending", attempts: [{}, { http_status: 500 }] });
  expect(await outcome()).toMatchObject({ status: "delivered", attempts: [{}, {}, { http_status: 204, error: null }] });
  const wrong = await service.call("POST", path, { wait: "yes" });
  expect([wrong.status, wrong.body.code]).toEqual([400, "invalid_parameter"]);
});

test("S49 all dead deliveries, or those of a time range, are sent again", async () => {
  const { webhook, emit } = await connect(service, receiver.url + "/many");
  const path = `/webhooks/${webhook.id}/redeliver`;
  receiver.on("/many", answer(410));
  const times: number[] = [];
  for (const value of [1, 2, 3, 4]) {
    await service.call("PUT", `/webhooks/${webhook.id}`, { active: true });
    times.push(service.clock.now());
    await emit(value);
    await service.advance(10_000);
  }
  await service.call("PUT", `/webhooks/${webhook.id}`, { active: true });
  expect((await deliveries(webhook.id)).map(({ status }) => status)).toEqual(["dead", "dead", "dead", "dead"]);
  receiver.on("/many", answer(200));
  const again = async (filter: object) => {
    const { status, body } = await service.call<Data<{ count: number }>>("POST", path, filter);
    await service.runtime.idle();
    return [status, body.data];
  };
  const sent = (): string[] => receiver.bodies("/many").slice(4);
  expect(await again({ since: times[1], until: times[2] })).toEqual([202, { count: 2 }]);
  expect(sent()).toEqual(["2", "3"]);
  expect(await again({ limit: 1 })).toEqual([202, { count: 1 }]);
  expect(await again({})).toEqual([202, { count: 1 }]);
  expect(await again({})).toEqual([202, { count: 0 }]);
  expect(sent()).toEqual(["2", "3", "4", "1"]);
  expect(await again({ status: "delivered", until: times[0] })).toEqual([202, { count: 1 }]);
  expect(sent()).toEqual(["2", "3", "4", "1", "1"]);
  await service.call("PUT", `/webhooks/${webhook.id}`, { active: false });
  const refused = await service.call("POST", path, {});
  expect([refused.status, refused.body.code]).toEqual([409, "inactive"]);
});

test("expand=state tells what becomes of the deliveries of a webhook", async () => {
  const { webhook, emit } = await connect(service, receiver.url + "/counted");
  const state = async () =>
    (await service.call<Data<{ state?: object }>>("GET", `/webhooks/${webhook.id}?expand=state`)).body.data.state;
  const none = { pending: 0, oldest_pending_at: null, due: 0, dead: 0, delivered: 0, failed: 0, last_attempt: null };
  expect(await state()).toEqual({ ...none, since: seconds(service.clock.now() - dayMs) });
  receiver.on("/counted", answer(204));
  await emit(1);
  receiver.on("/counted", answer(503));
  const createdAt = seconds(service.clock.now());
  await emit(2);
  await service.runtime.idle();
  const failed = { http_status: 503, error: "the receiver answered 503" };
  expect(await state()).toMatchObject({ pending: 1, oldest_pending_at: createdAt, due: 0, delivered: 1, failed: 1 });
  expect(await state()).toMatchObject({ last_attempt: failed });
  receiver.on("/counted", answer(410));
  await service.advance(600_000);
  expect(await state()).toMatchObject({ pending: 0, oldest_pending_at: null, dead: 1, delivered: 1, failed: 1 });
  await service.advance(dayMs);
  expect(await state()).toMatchObject({ dead: 1, delivered: 0, failed: 0, last_attempt: { http_status: 410 } });
  const { body } = await service.call<List<{ id: string; state?: object }>>("GET", "/users/me/webhooks?expand=state");
  expect(body.data.find(({ id }) => id === webhook.id)?.state).toMatchObject({ dead: 1 });
  expect((await service.call<Data<object>>("GET", `/webhooks/${webhook.id}`)).body.data).not.toHaveProperty("state");
});
