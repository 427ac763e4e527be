import { manualClock } from "@x/runtime";
import { expect, test } from "vitest";

import { answer, startReceiver } from "../../packages/runtime/src/webhooks/receiver.cases.ts";
import { component, type Data, startMs, startService } from "./fixture.ts";

const timed = component({ props: 'timer: "$.interface.timer"', run: "this.$emit(event.timestamp)" });

test("a manual clock advances by request, and the answer is sent after the due runs", async () => {
  const clock = manualClock(startMs);
  await using service = await startService({ clock }, { app: { clock } });
  const { id } = await service.deploy(timed, { timer: { intervalSeconds: 60 } });
  const advance = (ms: unknown): ReturnType<typeof service.call<Data<{ now_ms: number }>>> =>
    service.call("POST", "/clock/advance", { ms });
  const moved = await advance(60_000);
  expect(moved.status).toBe(200);
  expect(moved.body.data).toMatchObject({ now_ms: startMs + 60_000, coalesced: false });
  expect(await service.emitted(id)).toHaveLength(1);
  await advance(59_999);
  expect(await service.emitted(id)).toHaveLength(1);
  expect((await advance(1)).body.data.now_ms).toBe(startMs + 120_000);
  const [first = 0, second = 0] = (await service.emitted(id)) as number[];
  expect(second - first).toBe(60);
  expect((await advance(0)).status).toBe(200);
  expect((await service.call("GET", "/clock")).body).toEqual({ data: { now_ms: startMs + 120_000 } });
  for (const bad of [-1, 1.5, "60000", null, 1e15, undefined])
    expect((await advance(bad)).status, String(bad)).toBe(400);
  expect(clock.now()).toBe(startMs + 120_000);
  expect((await service.call("GET", "/clock/advance")).status).toBe(405);
});

test("without a manual clock the path does not exist, with or without a key", async () => {
  await using service = await startService();
  const reply = await service.call("POST", "/clock/advance", { ms: 1 });
  expect([reply.status, reply.body.code]).toEqual([404, "not_found"]);
  expect((await service.call("GET", "/clock")).status).toBe(404);
  expect((await service.call("POST", "/clock/advance", { ms: 1 }, { authorization: "" })).status).toBe(404);
});

test("S29 every tick that becomes due has its own time, in order, also over years in one call", async () => {
  const clock = manualClock(startMs);
  await using service = await startService({ clock, limits: { retention: 2_000 } }, { app: { clock } });
  const { id } = await service.deploy(timed, { timer: { intervalSeconds: 86_400 } });
  const days = 3 * 365;
  const moved = await service.call<Data<object>>("POST", "/clock/advance", { ms: days * 86_400_000 });
  expect(moved.body.data).toMatchObject({ now_ms: startMs + days * 86_400_000, coalesced: false });
  const { items } = await service.runtime.storedEvents(id, "emits", { limit: 2_000 });
  expect(items.map(({ payload }) => Number(payload)).toReversed()).toEqual(
    Array.from({ length: days }, (_, index) => Math.floor(startMs / 1_000) + (index + 1) * 86_400),
  );
});

test("S29 every attempt to deliver that becomes due has its own time", async () => {
  const clock = manualClock(startMs);
  const receiver = await startReceiver();
  await using service = await startService({ clock }, { app: { clock } });
  const code = component({ run: "this.$emit(1)" });
  const webhook_url = receiver.on("/hook", answer(500));
  const reply = await service.call<Data<{ id: string; webhook: { id: string } }>>("POST", "/sources", {
    component_code: code,
    webhook_url,
  });
  const { id, webhook } = reply.body.data;
  await service.run(id);
  await service.call("POST", "/clock/advance", { ms: 7 * 86_400_000 });
  const { body } = await service.call<{ data: { status: string; attempts: { at: number }[] }[] }>(
    "GET",
    `/webhooks/${webhook.id}/deliveries`,
  );
  const [delivery] = body.data;
  expect([delivery?.status, delivery?.attempts.length, receiver.received.length]).toEqual(["dead", 10, 10]);
  await receiver.close();
});
