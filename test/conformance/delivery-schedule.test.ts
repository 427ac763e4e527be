import { afterAll, beforeAll, expect, test } from "vitest";

import { answer, type Receiver, startReceiver } from "../../packages/runtime/src/webhooks/receiver.cases.ts";
import { type Data, type List, startService } from "./fixture.ts";
import type { DeliveryBody, WebhookBody } from "./webhook-bodies.ts";
import { connect } from "./webhook-fixture.ts";

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

test("S48 the first number is the wait before the first attempt, the others before the next ones", async () => {
  await using service = await startService({ deliverySchedule: [60_000, 10_000] });
  const { emit } = await connect(service, receiver.url + "/late");
  receiver.on("/late", answer(500));
  await emit({ n: 1 });
  expect(receiver.bodies("/late")).toHaveLength(0);
  await service.advance(59_999);
  expect(receiver.bodies("/late")).toHaveLength(0);
  // A wait is up to a fifth longer, so that deliveries that failed together are not repeated together.
  await service.advance(12_001);
  expect(receiver.bodies("/late")).toHaveLength(1);
  await service.advance(12_000);
  expect(receiver.bodies("/late")).toHaveLength(2);
  await service.advance(3_600_000);
  expect(receiver.bodies("/late")).toHaveLength(2);
});

test("S48 without a first wait, events are sent at once", async () => {
  for (const deliverySchedule of [undefined, [0], [0, 5_000]]) {
    await using service = await startService({ ...(deliverySchedule && { deliverySchedule }) });
    const { emit } = await connect(service, receiver.url + `/at-once-${deliverySchedule?.length}`);
    await emit({ n: 1 });
    expect(receiver.bodies(`/at-once-${deliverySchedule?.length}`)).toEqual(['{"n":1}']);
  }
});

test("S49 events beyond the bound of a paused webhook count as skipped, and the others are sent", async () => {
  await using service = await startService({ limits: { pausedDeliveries: 3 } as object });
  const { webhook, emit } = await connect(service, receiver.url + "/bound");
  const path = `/webhooks/${webhook.id}`;
  await service.call("PUT", path, { active: false });
  for (const n of [1, 2, 3, 4, 5]) await emit({ n });
  const { body } = await service.call<List<DeliveryBody>>("GET", `${path}/deliveries`);
  expect(body.data.map(({ status }) => status)).toEqual(["pending", "pending", "pending"]);
  const paused = await service.call<Data<WebhookBody>>("GET", path);
  expect(paused.body.data).toMatchObject({ active: false, skipped_events: 2 });
  await service.call("PUT", path, { active: true });
  await service.runtime.idle();
  await emit({ n: 6 });
  expect(receiver.bodies("/bound")).toEqual([1, 2, 3, 6].map((n) => `{"n":${n}}`));
});
