import { expect, test } from "vitest";

import type { Subscription } from "../../../model/src/listener-model.ts";
import type { GetStore } from "./given-store.cases.ts";
import type { Change } from "../contract.ts";
import {
  addDelivery,
  addTrigger,
  exampleAutoSubscription,
  exampleDelivery,
  exampleSource,
  exampleSubscription,
  exampleTrigger,
  exampleWebhook,
  putSource,
} from "./examples.cases.ts";

const ids = (items: readonly { readonly id: string }[]): string[] => items.map((item) => item.id);
const subscribe = (id: string, override: Partial<Subscription> = {}): Change => ({
  op: "subscription.add",
  subscription: exampleSubscription(id, override),
});

/** Subscriptions, webhooks, deliveries. */
export function describeDeliveries(get: GetStore): void {
  test("pending deliveries are counted, with the time of the first one", async () => {
    const store = get();
    expect(await store.pendingDeliveries()).toEqual({ count: 0, oldestAt: undefined });
    const pending = [7, 8, 9].map((createdAt) => addDelivery(exampleDelivery(`dlv_${createdAt}`, { createdAt })));
    const dead = addDelivery(exampleDelivery("dlv_dead", { createdAt: 5, status: "dead" }));
    await store.commit([dead, ...pending]);
    expect(await store.pendingDeliveries()).toEqual({ count: 3, oldestAt: 7 });
    await store.commit([
      { op: "delivery.update", id: "dlv_7", status: "delivered", attempts: [], nextAttemptAt: null },
    ]);
    expect(await store.pendingDeliveries()).toEqual({ count: 2, oldestAt: 8 });
  });

  test("the deliveries of a webhook are counted by what became of them", async () => {
    const store = get();
    const attempts = [{ at: 8, httpStatus: 503, error: "the receiver answered 503", durationMs: 1 }];
    const give = (id: string, override: Parameters<typeof exampleDelivery>[1]): Change =>
      addDelivery(exampleDelivery(id, override));
    const { webhookId } = exampleDelivery("dlv_1");
    const none = { pending: 0, oldestPendingAt: null, due: 0, dead: 0, delivered: 0, oldestDeliveredAt: null };
    expect(await store.deliveryCounts(webhookId, { now: 10, since: 6 })).toEqual({
      ...none,
      recentlyDelivered: 0,
      recentlyFailed: 0,
    });
    await store.commit([
      give("dlv_1", { createdAt: 5, nextAttemptAt: 11 }),
      give("dlv_2", { createdAt: 7, nextAttemptAt: 10, attempts }),
      give("dlv_3", { createdAt: 4, status: "delivered", nextAttemptAt: null, attempts }),
      give("dlv_4", { createdAt: 6, status: "delivered", nextAttemptAt: null, attempts }),
      give("dlv_5", { createdAt: 8, status: "dead", nextAttemptAt: null, attempts }),
      give("dlv_6", { createdAt: 8, webhookId: "wh_other" }),
    ]);
    expect(await store.deliveryCounts(webhookId, { now: 10, since: 6 })).toEqual({
      pending: 2,
      oldestPendingAt: 5,
      due: 1,
      dead: 1,
      delivered: 2,
      oldestDeliveredAt: 4,
      recentlyDelivered: 1,
      recentlyFailed: 2,
    });
    const attempted = await store.deliveries(webhookId, { limit: 10, attempted: true });
    expect([attempted.totalCount, ids(attempted.items)]).toEqual([4, ["dlv_5", "dlv_4", "dlv_3", "dlv_2"]]);
  });

  test("a delivery keeps the trace of its event", async () => {
    const store = get();
    const trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    const traced = exampleDelivery("dlv_1", { trace });
    await store.commit([addDelivery(traced), addDelivery(exampleDelivery("dlv_2"))]);
    expect((await store.nextDelivery(traced.webhookId, traced.emitterId))?.delivery).toEqual(traced);
    expect((await store.deliveries(traced.webhookId, { limit: 2 })).items.map((each) => each.trace)).toEqual([
      undefined,
      trace,
    ]);
  });

  test("commits are counted, also those that fail", async () => {
    const store = get();
    const before = store.commitStats();
    await store.commit([subscribe("sub_1")]);
    await expect(store.commit([subscribe("sub_2")])).rejects.toMatchObject({ code: "store_failed" });
    const { done, failed, batches, batchMs } = store.commitStats();
    expect([done - before.done, failed - before.failed]).toEqual([1, 1]);
    expect(batches.sum - before.batches.sum).toBe(2);
    expect(batchMs.count).toBe(batches.count);
  });

  test("R104 subscriptions are listed newest first, of one user or all", async () => {
    const store = get();
    const first = exampleSubscription("sub_1", { eventName: "$errors" });
    await store.commit([{ op: "subscription.add", subscription: first }]);
    await store.commit([subscribe("sub_2", { userId: "u_2" }), subscribe("sub_3")]);
    expect(await store.subscriptions("u_1")).toEqual([exampleSubscription("sub_3"), first]);
    expect(ids(await store.subscriptions())).toEqual(["sub_3", "sub_2", "sub_1"]);
    await store.commit([{ op: "subscription.delete", id: "sub_3" }]);
    expect(await store.subscriptions("u_1")).toEqual([first]);
  });

  test("G15 the same subscription of a user is refused, one with another event name is not", async () => {
    const store = get();
    await store.commit([subscribe("sub_1")]);
    await expect(store.commit([subscribe("sub_2")])).rejects.toMatchObject({ code: "store_failed" });
    await store.commit([subscribe("sub_3", { eventName: "default" }), subscribe("sub_4", { userId: "u_2" })]);
    expect(ids(await store.subscriptions())).toEqual(["sub_4", "sub_3", "sub_1"]);
  });

  test("the id of a subscription is refused a second time", async () => {
    const store = get();
    await store.commit([subscribe("sub_1")]);
    const other = subscribe("sub_1", { eventName: "default" });
    await expect(store.commit([other])).rejects.toMatchObject({ code: "store_failed" });
    const auto = (eventName: string): Change => ({
      op: "auto_subscription.add",
      autoSubscription: exampleAutoSubscription("asub_1", { eventName }),
    });
    await expect(store.commit([auto("a"), auto("b")])).rejects.toMatchObject({ code: "store_failed" });
    expect([ids(await store.subscriptions()), await store.autoSubscriptions()]).toEqual([["sub_1"], []]);
  });

  test("G17 auto-subscriptions are stored, refused as duplicates, and deleted", async () => {
    const store = get();
    const first = exampleAutoSubscription("asub_1");
    await store.commit([{ op: "auto_subscription.add", autoSubscription: first }]);
    const again = store.commit([{ op: "auto_subscription.add", autoSubscription: exampleAutoSubscription("asub_2") }]);
    await expect(again).rejects.toMatchObject({ code: "store_failed" });
    expect(await store.autoSubscriptions("u_1")).toEqual([first]);
    expect(await store.autoSubscriptions("u_2")).toEqual([]);
    await store.commit([{ op: "auto_subscription.delete", id: "asub_1" }]);
    expect(await store.autoSubscriptions()).toEqual([]);
  });

  test("deleting a source deletes the subscriptions that name it, but not those whose globs match it", async () => {
    const store = get();
    await store.commit([
      putSource(exampleSource("dc_1")),
      subscribe("sub_from", { emitterId: "dc_1", listenerId: "wh_1" }),
      subscribe("sub_to", { emitterId: "dc_2", listenerId: "dc_1" }),
      subscribe("sub_glob", { emitterId: "dc_*", listenerId: "wh_1" }),
      subscribe("sub_glob_to", { emitterId: "dc_*", listenerId: "dc_1" }),
      { op: "auto_subscription.add", autoSubscription: exampleAutoSubscription("asub_1", { listenerId: "dc_1" }) },
    ]);
    await store.commit([{ op: "source.delete", id: "dc_1" }]);
    expect(ids(await store.subscriptions())).toEqual(["sub_glob"]);
    expect(await store.autoSubscriptions()).toEqual([]);
  });

  test("R108 webhooks are listed newest first in pages; a replaced one keeps its position and its count", async () => {
    const store = get();
    for (const id of ["wh_1", "wh_2", "wh_3"]) await store.commit([{ op: "webhook.put", webhook: exampleWebhook(id) }]);
    await store.commit([
      { op: "webhook.skip", id: "wh_1", count: 2 },
      { op: "webhook.skip", id: "wh_x", count: 2 },
    ]);
    const changed = exampleWebhook("wh_1", { name: null, active: false, previousKeys: [{ key: "whsec_a", until: 5 }] });
    await store.commit([{ op: "webhook.put", webhook: changed }]);
    expect(await store.webhook("wh_1")).toEqual({ ...changed, skipped: 2 });
    expect(await store.webhook("wh_x")).toBeUndefined();
    const first = await store.webhooks("u_1", { limit: 2 });
    expect([first.totalCount, ids(first.items)]).toEqual([3, ["wh_3", "wh_2"]]);
    expect(ids((await store.webhooks("u_1", { limit: 2, after: "wh_2" })).items)).toEqual(["wh_1"]);
    expect(ids((await store.webhooks("u_1", { limit: 1, before: "wh_1" })).items)).toEqual(["wh_2"]);
    expect((await store.webhooks("u_2", { limit: 2 })).totalCount).toBe(0);
    expect(ids(await store.allWebhooks())).toEqual(["wh_1", "wh_2", "wh_3"]);
    await store.commit([{ op: "webhook.delete", id: "wh_2" }]);
    expect(ids((await store.webhooks("u_1", { limit: 2, after: "wh_2" })).items)).toEqual(["wh_1"]);
  });

  test("R093 cursors of another user's webhooks and deliveries are unknown", async () => {
    const store = get();
    for (const id of ["wh_1", "wh_theirs", "wh_2"]) {
      const userId = id === "wh_theirs" ? "u_2" : "u_1";
      await store.commit([{ op: "webhook.put", webhook: exampleWebhook(id, { userId }) }]);
      const webhookId = id === "wh_theirs" ? id : "wh_1";
      await store.commit([addDelivery(exampleDelivery(`dlv_${id}`, { webhookId }))]);
    }
    for (const side of ["after", "before"]) {
      for (const cursor of ["wh_theirs", "wh_never"]) {
        const webhooks = store.webhooks("u_1", { limit: 10, [side]: cursor });
        await expect(webhooks, side).rejects.toMatchObject({ code: "invalid_parameter", details: { parameter: side } });
        const deliveries = store.deliveries("wh_1", { limit: 10, [side]: `dlv_${cursor}` });
        await expect(deliveries, side).rejects.toMatchObject({
          code: "invalid_parameter",
          details: { parameter: side },
        });
      }
    }
  });

  test("G14 deleting a webhook deletes its deliveries and subscriptions", async () => {
    const store = get();
    await store.commit([
      { op: "webhook.put", webhook: exampleWebhook("wh_1") },
      addDelivery(exampleDelivery("dlv_1")),
      addDelivery(exampleDelivery("dlv_2", { webhookId: "wh_2" })),
      subscribe("sub_1", { emitterId: "dc_*", listenerId: "wh_1" }),
      subscribe("sub_2", { listenerId: "wh_2" }),
      { op: "auto_subscription.add", autoSubscription: exampleAutoSubscription("asub_1") },
      { op: "webhook.delete", id: "wh_1" },
    ]);
    expect(await store.webhook("wh_1")).toBeUndefined();
    expect(await store.delivery("dlv_1")).toBeUndefined();
    expect(await store.delivery("dlv_2")).toBeDefined();
    expect(ids(await store.subscriptions())).toEqual(["sub_2"]);
    expect(await store.autoSubscriptions()).toEqual([]);
  });

  test("S13 deliveries are stored completely, and lists omit their payloads", async () => {
    const store = get();
    const response = { headers: { server: ["a", "b"] }, body: { text: "\0 \u{1F600}" }, bodyBytes: 5 };
    const attempts = [{ at: 1_000.5, httpStatus: 503, error: "no", durationMs: 1.5, response }];
    const full = exampleDelivery("dlv_1", { ts: -1.5, attempts, eventName: "channel", payload: '"\0 \u{1F600}"' });
    await store.commit([addDelivery(full), addDelivery(exampleDelivery("dlv_2"))]);
    expect(await store.delivery("dlv_1")).toEqual(full);
    const { payload: _payload, ...listed } = full;
    const page = await store.deliveries("wh_1", { limit: 10 });
    expect([page.totalCount, ids(page.items)]).toEqual([2, ["dlv_2", "dlv_1"]]);
    expect(page.items[1]).toEqual(listed);
    expect(ids((await store.deliveries("wh_1", { limit: 10, after: "dlv_2" })).items)).toEqual(["dlv_1"]);
    await expect(store.commit([addDelivery(full)])).rejects.toMatchObject({ code: "store_failed" });
  });

  test("G13 the next delivery of a lane is the one due first, then the one added first", async () => {
    const store = get();
    await store.commit([
      addDelivery(exampleDelivery("dlv_late", { nextAttemptAt: 30 })),
      addDelivery(exampleDelivery("dlv_b", { nextAttemptAt: 10 })),
      addDelivery(exampleDelivery("dlv_a", { nextAttemptAt: 10 })),
      addDelivery(exampleDelivery("dlv_other", { nextAttemptAt: 1, emitterId: "dc_2" })),
      addDelivery(exampleDelivery("dlv_dead", { status: "dead", nextAttemptAt: null })),
    ]);
    const next = async (): Promise<readonly (string | boolean | undefined)[]> => {
      const found = await store.nextDelivery("wh_1", "dc_1");
      return [found?.delivery.id, found?.isLast];
    };
    const settle = (id: string, nextAttemptAt: number | null): Change => {
      const status = nextAttemptAt === null ? "delivered" : "pending";
      return { op: "delivery.update", id, status, attempts: [], nextAttemptAt };
    };
    expect(await next()).toEqual(["dlv_b", false]);
    await store.commit([settle("dlv_b", null)]);
    expect(await next()).toEqual(["dlv_a", false]);
    await store.commit([settle("dlv_a", 40)]);
    expect(await next()).toEqual(["dlv_late", false]);
    const lanes = [
      { webhookId: "wh_1", emitterId: "dc_1", at: 30 },
      { webhookId: "wh_1", emitterId: "dc_2", at: 1 },
    ];
    expect((await store.deliveryLanes()).toSorted((a, b) => b.at - a.at)).toEqual(lanes);
    expect((await store.deliveryLanes("wh_1")).toSorted((a, b) => b.at - a.at)).toEqual(lanes);
    expect(await store.deliveryLanes("wh_2")).toEqual([]);
    await store.commit([settle("dlv_late", null)]);
    expect(await next()).toEqual(["dlv_a", true]);
    await store.commit([settle("dlv_a", null)]);
    expect(await next()).toEqual([undefined, undefined]);
  });

  test("deliveries of one status are listed in pages, with their number; a cursor may have another status", async () => {
    const store = get();
    for (const [n, status] of (["dead", "pending", "dead", "delivered", "dead"] as const).entries())
      await store.commit([addDelivery(exampleDelivery(`dlv_${n}`, { status }))]);
    await store.commit([addDelivery(exampleDelivery("dlv_x", { status: "dead", webhookId: "wh_2" }))]);
    const list = async (page: object): Promise<unknown> => {
      const { totalCount, items } = await store.deliveries("wh_1", { limit: 2, ...page });
      return [totalCount, ids(items)];
    };
    expect(await list({ status: "dead" })).toEqual([3, ["dlv_4", "dlv_2"]]);
    expect(await list({ status: "dead", after: "dlv_2" })).toEqual([3, ["dlv_0"]]);
    expect(await list({ status: "dead", before: "dlv_0" })).toEqual([3, ["dlv_4", "dlv_2"]]);
    expect(await list({ status: "dead", after: "dlv_3" })).toEqual([3, ["dlv_2", "dlv_0"]]);
    expect(await list({ status: "pending" })).toEqual([1, ["dlv_1"]]);
    expect(await list({ status: "delivered", after: "dlv_3" })).toEqual([1, []]);
  });

  test("a trim keeps the newest deliveries of a status", async () => {
    const store = get();
    for (const n of [1, 2, 3, 4]) {
      const status = n === 2 ? "pending" : "delivered";
      await store.commit([addDelivery(exampleDelivery(`dlv_${n}`, { status }))]);
    }
    await store.commit([{ op: "deliveries.trim", webhookId: "wh_1", status: "delivered", keep: 2 }]);
    expect(ids((await store.deliveries("wh_1", { limit: 10 })).items)).toEqual(["dlv_4", "dlv_3", "dlv_2"]);
    await store.commit([{ op: "deliveries.trim", webhookId: "wh_1", status: "delivered", keep: 0 }]);
    expect(ids((await store.deliveries("wh_1", { limit: 10 })).items)).toEqual(["dlv_2"]);
  });

  test("G62 a trigger stores that an error led to it", async () => {
    const store = get();
    const trigger = exampleTrigger("t_1", { type: "SUBSCRIPTION", hops: 2, ofError: true });
    await store.commit([addTrigger(trigger)]);
    expect(await store.trigger("t_1")).toEqual(trigger);
  });
}
