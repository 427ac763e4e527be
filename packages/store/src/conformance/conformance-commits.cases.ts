import { expect, test } from "vitest";

import type { GetStore } from "./given-store.cases.ts";
import type { Change } from "../contract.ts";
import {
  addEvent,
  addDelivery,
  addTrigger,
  exampleAutoSubscription,
  exampleComponent,
  exampleDelivery,
  exampleEvent,
  exampleSource,
  exampleSubscription,
  exampleTrigger,
  exampleUser,
  exampleWebhook,
  putSource,
  setValue,
} from "./examples.cases.ts";

/** Atomicity, order, concurrency, closing. */
export function describeCommits(get: GetStore): void {
  const snapshot = async (): Promise<unknown> => {
    const store = get();
    return {
      users: await store.users(),
      component: [await store.component("sc_1"), await store.component("sc_2")],
      sources: await store.sources("u_1", { limit: 100 }),
      endpoints: [await store.sourceByEndpoint("key-1"), await store.sourceByEndpoint("key-2")],
      state: await store.sourceState("dc_1"),
      db: await store.db("dc_1"),
      events: await store.events("dc_1", "emits", { limit: 100, retention: 100 }),
      errors: await store.events("dc_1", "$errors", { limit: 100, retention: 100 }),
      timers: await store.timers(),
      triggers: await store.triggers(),
      usage: await store.usage("u_1", "2026-11-20"),
      subscriptions: await store.subscriptions(),
      autoSubscriptions: await store.autoSubscriptions(),
      webhooks: await store.allWebhooks(),
      deliveries: await store.deliveries("wh_1", { limit: 100 }),
    };
  };

  test("a commit whose last change fails changes nothing", async () => {
    const store = get();
    await store.commit([
      { op: "user.put", user: exampleUser("u_1") },
      { op: "component.put", component: exampleComponent("sc_1") },
      putSource(exampleSource("dc_1", { endpoints: { http: "key-1" } })),
      addTrigger(exampleTrigger("t_1")),
      addTrigger(exampleTrigger("t_2")),
      setValue("dc_1", "kept", "1"),
      setValue("dc_1", "dropped", "1"),
      { op: "dedupe.set", sourceId: "dc_1", channel: "", state: { strategy: "unique", ids: ["a"] } },
      addEvent(exampleEvent(1, 0)),
      addEvent(exampleEvent(2, 0)),
      { op: "timer.set", sourceId: "dc_1", next: { at: 1, lastAt: 0 } },
      { op: "usage.add", userId: "u_1", day: "2026-11-20", invocations: 1, computeMs: 1 },
      { op: "subscription.add", subscription: exampleSubscription("sub_1") },
      { op: "auto_subscription.add", autoSubscription: exampleAutoSubscription("asub_1") },
      { op: "webhook.put", webhook: exampleWebhook("wh_1") },
      addDelivery(exampleDelivery("dlv_1")),
      addDelivery(exampleDelivery("dlv_2", { status: "delivered", nextAttemptAt: null })),
    ]);
    const before = await snapshot();
    const changes: readonly Change[] = [
      { op: "user.put", user: exampleUser("u_1", { apiKey: "other" }) },
      { op: "user.put", user: exampleUser("u_2") },
      { op: "component.put", component: exampleComponent("sc_2") },
      putSource(exampleSource("dc_1", { name: "Other", endpoints: { http: "key-2" } })),
      { op: "trigger.start", id: "t_1" },
      { op: "trigger.remove", id: "t_2" },
      addTrigger(exampleTrigger("t_3"), true),
      setValue("dc_1", "kept", "2"),
      setValue("dc_1", "dropped", undefined),
      { op: "dedupe.set", sourceId: "dc_1", channel: "", state: { strategy: "last", ids: ["b"] } },
      { op: "dedupe.reset", sourceId: "dc_1" },
      addEvent(exampleEvent(3, 0)),
      addEvent(exampleEvent(3, 0, { stream: "$errors" })),
      { op: "events.delete", emitterId: "dc_1", stream: "emits", range: { end: { ms: 1, seq: 0 } } },
      { op: "events.trim", emitterId: "dc_1", stream: "emits", keep: 1 },
      { op: "timer.set", sourceId: "dc_1", next: undefined },
      { op: "usage.add", userId: "u_1", day: "2026-11-20", invocations: 1, computeMs: 1 },
      { op: "subscription.add", subscription: exampleSubscription("sub_2", { eventName: "other" }) },
      { op: "subscription.delete", id: "sub_1" },
      { op: "auto_subscription.add", autoSubscription: exampleAutoSubscription("asub_2", { eventName: "other" }) },
      { op: "auto_subscription.delete", id: "asub_1" },
      { op: "webhook.put", webhook: exampleWebhook("wh_1", { active: false }) },
      { op: "webhook.put", webhook: exampleWebhook("wh_2") },
      { op: "webhook.skip", id: "wh_1", count: 3 },
      addDelivery(exampleDelivery("dlv_3")),
      { op: "delivery.update", id: "dlv_1", status: "dead", attempts: [], nextAttemptAt: null },
      { op: "deliveries.trim", webhookId: "wh_1", status: "delivered", keep: 0 },
      { op: "webhook.delete", id: "wh_1" },
      { op: "source.delete", id: "dc_1" },
    ];
    const invalid = addTrigger(exampleTrigger("t_1"));
    // With each change alone, then with all of them, before the one that fails.
    for (const change of changes.filter(({ op }) => op !== "source.delete" && op !== "trigger.remove")) {
      await expect(store.commit([change, invalid])).rejects.toMatchObject({ code: "store_failed" });
      expect({ after: change.op, state: await snapshot() }).toEqual({ after: change.op, state: before });
    }
    const last = [addTrigger(exampleTrigger("t_9")), addTrigger(exampleTrigger("t_9"))];
    await expect(store.commit([...changes, ...last])).rejects.toMatchObject({ code: "store_failed" });
    expect(await snapshot()).toEqual(before);
    expect((await store.recoverTriggers()).map((trigger) => trigger.crashes)).toEqual([0, 0]);
  });

  test("an empty commit resolves", async () => {
    await expect(get().commit([])).resolves.toBeUndefined();
  });

  test("commits apply in the order of their calls", async () => {
    const store = get();
    await Promise.all(Array.from({ length: 50 }, (_, n) => store.commit([setValue("dc_1", "last", String(n))])));
    expect((await store.db("dc_1")).get("last")).toBe("49");
  });

  test("a refused commit does not affect concurrent commits", async () => {
    const store = get();
    await store.commit([addTrigger(exampleTrigger("t_taken"))]);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) =>
        store.commit([setValue("dc_1", `k${n}`, "1"), addTrigger(exampleTrigger(n % 7 === 3 ? "t_taken" : `t_${n}`))]),
      ),
    );
    const refused = outcomes.flatMap((outcome, n) => (outcome.status === "rejected" ? [n] : []));
    expect(refused).toEqual([3, 10, 17]);
    const kept = await store.db("dc_1");
    expect(kept.size).toBe(17);
    expect(refused.some((n) => kept.has(`k${n}`))).toBe(false);
    expect(await store.triggers()).toHaveLength(18);
  });

  test("1000 concurrent commits are atomic, and readable once they have resolved", async () => {
    const store = get();
    await Promise.all(
      Array.from({ length: 1_000 }, async (_, n) => {
        const emitterId = `dc_${n % 32}`;
        const ms = Math.floor(n / 32);
        await store.commit([
          setValue(emitterId, `k${n}`, String(n)),
          addEvent(exampleEvent(ms, 0, { emitterId })),
          { op: "usage.add", userId: "u_1", day: "2026-11-20", invocations: 1, computeMs: 2 },
        ]);
        expect((await store.db(emitterId)).get(`k${n}`)).toBe(String(n));
      }),
    );
    expect(await store.usage("u_1", "2026-11-20")).toEqual({ invocations: 1_000, computeMs: 2_000 });
    let events = 0;
    for (let n = 0; n < 32; n += 1) {
      const page = await store.events(`dc_${n}`, "emits", { limit: 100, retention: 100 });
      events += page.totalCount;
      expect((await store.sourceState(`dc_${n}`)).heads.emits?.ms).toBe(page.items[0]?.id.ms);
    }
    expect(events).toBe(1_000);
  });

  test("a closed store rejects commits and reads, and may be closed twice", async () => {
    const store = get();
    const last = store.commit([setValue("dc_1", "k", "1")]);
    await Promise.all([store.close(), store.close()]);
    await expect(last).resolves.toBeUndefined();
    await expect(store.commit([setValue("dc_1", "k", "2")])).rejects.toMatchObject({ code: "closed" });
    await expect(store.db("dc_1")).rejects.toMatchObject({ code: "closed" });
    await expect(store.recoverTriggers()).rejects.toMatchObject({ code: "closed" });
  });
}
