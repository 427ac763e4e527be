import { expect, test } from "vitest";

import type { GetStore } from "./given-store.cases.ts";
import {
  addDelivery,
  addEvent,
  addTrigger,
  exampleDelivery,
  exampleEvent,
  exampleSource,
  exampleTrigger,
  putSource,
} from "./examples.cases.ts";

/** The inbox. */
export function describeTriggers(get: GetStore): void {
  const ids = async (sourceId?: string): Promise<string[]> =>
    (await get().triggers(sourceId)).map((trigger) => trigger.id);

  test("a trigger is stored completely, with and without its HTTP prop", async () => {
    const store = get();
    const timer = exampleTrigger("t_1");
    const origin = { cause: { sourceId: "dc_2", eventId: "5-0", executionId: "e1" }, replayOf: "e2" };
    const http = exampleTrigger("t_2", { type: "HTTP", httpProp: "http", event: '"\0"', at: 1_000.5, hops: 3, origin });
    await store.commit([addTrigger(timer), addTrigger(http)]);
    expect([await store.trigger("t_1"), await store.trigger("t_2")]).toEqual([timer, http]);
    expect(await store.trigger("t_3")).toBeUndefined();
  });

  test("the body and the head of a request are stored byte for byte, apart from its event", async () => {
    const store = get();
    const body = Uint8Array.from({ length: 70_000 }, (_, index) => index % 251);
    const received = '{"headers":[["X-A","\\u0000"]]}';
    await store.commit([addTrigger(exampleTrigger("t_1", { type: "HTTP", body, received }))]);
    const stored = await store.trigger("t_1");
    expect(stored?.received).toBe(received);
    expect(Buffer.from(stored?.body ?? []).equals(body)).toBe(true);
    expect(stored?.event).toBe(exampleTrigger("t_1").event);
  });

  test("waiting triggers are listed without their events, with their sizes and users", async () => {
    const store = get();
    const { event: _, ...rest } = exampleTrigger("t_1");
    await store.commit([
      putSource(exampleSource(rest.sourceId)),
      addTrigger(exampleTrigger("t_1", { event: '"\u00e9"', body: new Uint8Array(10) })),
      addTrigger(exampleTrigger("t_2", { sourceId: "dc_gone", event: "1", received: "{}" })),
    ]);
    const { userId } = exampleSource(rest.sourceId);
    expect(await store.triggers()).toEqual([
      { ...rest, userId, bytes: 14 },
      { ...rest, id: "t_2", sourceId: "dc_gone", userId: "", bytes: 3 },
    ]);
  });

  test("a payload shared by an event, triggers and deliveries stays until the last of them is deleted", async () => {
    const store = get();
    const payload = JSON.stringify("x".repeat(5_000));
    const event = exampleEvent(1, 0, { payload });
    const { emitId, emitterId } = event;
    const trigger = exampleTrigger("t_1", { event: payload });
    await store.commit([
      putSource(exampleSource(emitterId)),
      addEvent(event),
      { op: "trigger.add", trigger, running: false, emitId },
      addDelivery(exampleDelivery("dlv_1", { emitId, emitterId, payload })),
    ]);
    const { items } = await store.events(emitterId, "emits", { limit: 1, retention: 10 });
    expect(items.map((item) => item.payload)).toEqual([payload]);
    await store.commit([{ op: "events.delete", emitterId, stream: "emits", range: {} }]);
    expect((await store.trigger("t_1"))?.event).toBe(payload);
    await store.commit([{ op: "trigger.remove", id: "t_1" }]);
    expect((await store.delivery("dlv_1"))?.payload).toBe(payload);
  });

  test("G40 triggers are listed in the order of `at`, then of insertion, for all sources or one", async () => {
    const store = get();
    await store.commit([addTrigger(exampleTrigger("t_z", { at: 5 })), addTrigger(exampleTrigger("t_a", { at: 5 }))]);
    await store.commit([addTrigger(exampleTrigger("t_b", { at: 4, sourceId: "dc_2" }))]);
    await store.commit([addTrigger(exampleTrigger("t_c", { at: 3 }))]);
    expect(await ids()).toEqual(["t_c", "t_b", "t_z", "t_a"]);
    expect(await ids("dc_1")).toEqual(["t_c", "t_z", "t_a"]);
    expect(await ids("dc_3")).toEqual([]);
  });

  test("a trigger is removed, and removing it again changes nothing", async () => {
    const store = get();
    await store.commit([addTrigger(exampleTrigger("t_1")), addTrigger(exampleTrigger("t_2"))]);
    await store.commit([{ op: "trigger.remove", id: "t_1" }]);
    await store.commit([{ op: "trigger.remove", id: "t_1" }]);
    expect(await ids()).toEqual(["t_2"]);
  });

  test("a second trigger with the id of a waiting one is refused", async () => {
    const store = get();
    await store.commit([addTrigger(exampleTrigger("t_1"))]);
    const again = store.commit([addTrigger(exampleTrigger("t_1", { sourceId: "dc_2" }))]);
    await expect(again).rejects.toMatchObject({ code: "store_failed" });
    expect(await ids("dc_2")).toEqual([]);
  });

  test("S24 recovery counts a crash for each running trigger, once, and returns all, oldest first", async () => {
    const store = get();
    await store.commit([
      addTrigger(exampleTrigger("t_started", { at: 2 })),
      addTrigger(exampleTrigger("t_waiting", { at: 1 })),
      addTrigger(exampleTrigger("t_running", { at: 3, crashes: 4 }), true),
      { op: "trigger.start", id: "t_started" },
      { op: "trigger.start", id: "t_unknown" },
    ]);
    const crashes = (await store.recoverTriggers()).map((trigger) => [trigger.id, trigger.crashes]);
    expect(crashes).toEqual([
      ["t_waiting", 0],
      ["t_started", 1],
      ["t_running", 5],
    ]);
    const again = (await store.recoverTriggers()).map((trigger) => trigger.crashes);
    expect(again).toEqual([0, 1, 5]);
    expect((await store.triggers()).map((trigger) => trigger.crashes)).toEqual([0, 1, 5]);
  });
}
