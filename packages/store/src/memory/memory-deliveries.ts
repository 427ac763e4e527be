import type { AutoSubscription, Delivery, QueuedDelivery, Webhook } from "@x/model";
import type { DeliveryChange, DeliveryLane } from "../contract.ts";
import type { SyncReads } from "../reads.ts";
import {
  newestFirst,
  type Positioned,
  positionKey,
  put,
  putListed,
  putPositioned,
  refuse,
  type Tables,
  type Undo,
  valuesOf,
} from "./memory-tables.ts";
import { cutListPage } from "./page.ts";

/** Removes the subscriptions in which a source or webhook is the emitter or the listener. */
export function deleteSubscriptions(tables: Tables, id: string, undo: Undo): void {
  for (const [key, { value }] of tables.subscriptions) {
    if (value.emitterId === id || value.listenerId === id) put(tables.subscriptions, key, undefined, undo);
  }
  for (const [key, { value }] of tables.autoSubscriptions) {
    if (value.listenerId === id) put(tables.autoSubscriptions, key, undefined, undo);
  }
}

function refuseDuplicate<T extends AutoSubscription & { readonly emitterId?: string }>(
  rows: ReadonlyMap<string, Positioned<T>>,
  added: T,
): void {
  const names = ["userId", "emitterId", "listenerId", "eventName"] as const;
  if (rows.has(added.id)) refuse(`subscription id ${added.id} is in use`);
  for (const { value } of rows.values())
    if (names.every((name) => value[name] === added[name])) refuse("it exists already");
}

function trim(tables: Tables, change: Extract<DeliveryChange, { op: "deliveries.trim" }>, undo: Undo): void {
  const rows = newestFirst(tables.deliveries).filter(
    ({ value }) => value.webhookId === change.webhookId && value.status === change.status,
  );
  for (const { value } of rows.slice(change.keep)) put(tables.deliveries, value.id, undefined, undo);
}

/** Applies one change of subscriptions, webhooks or deliveries. */
export function applyDeliveryChange(tables: Tables, change: DeliveryChange, undo: Undo): void {
  switch (change.op) {
    case "subscription.add": {
      const { subscription: added } = change;
      refuseDuplicate(tables.subscriptions, added);
      putPositioned(tables, tables.subscriptions, added, undo);
      return;
    }
    case "subscription.delete":
      put(tables.subscriptions, change.id, undefined, undo);
      return;
    case "auto_subscription.add": {
      const { autoSubscription: added } = change;
      refuseDuplicate(tables.autoSubscriptions, added);
      putPositioned(tables, tables.autoSubscriptions, added, undo);
      return;
    }
    case "auto_subscription.delete":
      put(tables.autoSubscriptions, change.id, undefined, undo);
      return;
    case "webhook.put": {
      const skipped = tables.webhooks.get(change.webhook.id)?.value.skipped ?? change.webhook.skipped;
      putListed(tables, tables.webhooks, { ...change.webhook, skipped }, undo);
      return;
    }
    case "webhook.delete":
      put(tables.webhooks, change.id, undefined, undo);
      for (const { value } of tables.deliveries.values()) {
        if (value.webhookId === change.id) put(tables.deliveries, value.id, undefined, undo);
      }
      deleteSubscriptions(tables, change.id, undo);
      return;
    case "webhook.skip": {
      const row = tables.webhooks.get(change.id);
      const value = row && { ...row.value, skipped: row.value.skipped + change.count };
      if (row && value) put(tables.webhooks, change.id, { ...row, value }, undo);
      return;
    }
    case "delivery.add":
      if (tables.deliveries.has(change.delivery.id)) refuse(`delivery id ${change.delivery.id} is in use`);
      putPositioned(tables, tables.deliveries, change.delivery, undo);
      return;
    case "delivery.update": {
      const row = tables.deliveries.get(change.id);
      const { status, attempts, nextAttemptAt } = change;
      const value = row && { ...row.value, status, attempts, nextAttemptAt };
      if (row && value) put(tables.deliveries, change.id, { ...row, value }, undo);
      return;
    }
    case "deliveries.trim":
      trim(tables, change, undo);
      return;
  }
}

function withoutPayload({ payload: _payload, ...delivery }: QueuedDelivery): Delivery {
  return delivery;
}

export type DeliveryReads = Pick<
  SyncReads,
  | "subscriptions"
  | "autoSubscriptions"
  | "webhook"
  | "webhooks"
  | "allWebhooks"
  | "delivery"
  | "deliveries"
  | "deliveryCounts"
  | "nextDelivery"
  | "deliveryLanes"
  | "pendingDeliveries"
>;

/** Reads subscriptions, webhooks and deliveries. */
export function memoryDeliveryReads(tables: Tables): DeliveryReads {
  const pendingOf = (webhookId?: string, emitterId?: string): Positioned<QueuedDelivery>[] =>
    [...tables.deliveries.values()].filter(
      ({ value }) =>
        value.status === "pending" &&
        (webhookId === undefined || value.webhookId === webhookId) &&
        (emitterId === undefined || value.emitterId === emitterId),
    );
  const ofUser = <T extends { readonly userId: string }>(values: T[], userId: string | undefined): T[] =>
    userId === undefined ? values : values.filter((value) => value.userId === userId);

  return {
    subscriptions: (userId) => ofUser(valuesOf(tables.subscriptions), userId),
    autoSubscriptions: (userId) => ofUser(valuesOf(tables.autoSubscriptions), userId),
    webhook: (id) => tables.webhooks.get(id)?.value,
    webhooks(userId, page) {
      const rows = newestFirst(tables.webhooks).filter(({ value }) => value.userId === userId);
      return cutListPage<Webhook>(rows, page, (id) =>
        id.startsWith("wh_") ? tables.listPositions.get(positionKey(userId, id)) : undefined,
      );
    },
    allWebhooks: () => valuesOf(tables.webhooks).toReversed(),
    delivery: (id) => tables.deliveries.get(id)?.value,
    deliveries(webhookId, page) {
      const all = newestFirst(tables.deliveries).filter(({ value }) => value.webhookId === webhookId);
      const rows = all.filter(
        ({ value: { status, attempts } }) =>
          (page.status === undefined || status === page.status) && (!page.attempted || attempts.length > 0),
      );
      const found = cutListPage(rows, page, (id) => all.find(({ value }) => value.id === id)?.position);
      return { totalCount: found.totalCount, items: found.items.map(withoutPayload) };
    },
    deliveryCounts(webhookId, { now, since }) {
      const all = valuesOf(tables.deliveries).filter((each) => each.webhookId === webhookId);
      const [pending, delivered] = (["pending", "delivered"] as const).map((status) =>
        all.filter((each) => each.status === status),
      ) as [QueuedDelivery[], QueuedDelivery[]];
      const firstOf = (some: readonly QueuedDelivery[]): number | null =>
        some.length === 0 ? null : Math.min(...some.map(({ createdAt }) => createdAt));
      const recent = all.filter(({ createdAt }) => createdAt >= since);
      return {
        pending: pending.length,
        oldestPendingAt: firstOf(pending),
        due: pending.filter(({ nextAttemptAt }) => (nextAttemptAt ?? Infinity) <= now).length,
        dead: all.filter(({ status }) => status === "dead").length,
        delivered: delivered.length,
        oldestDeliveredAt: firstOf(delivered),
        recentlyDelivered: recent.filter(({ status }) => status === "delivered").length,
        recentlyFailed: recent.filter(({ status, attempts }) => status !== "delivered" && attempts.length > 0).length,
      };
    },
    nextDelivery(webhookId, emitterId) {
      const dueAt = ({ value }: Positioned<QueuedDelivery>): number => value.nextAttemptAt ?? Infinity;
      const pending = pendingOf(webhookId, emitterId);
      const [next] = pending.toSorted((a, b) => dueAt(a) - dueAt(b) || a.position - b.position);
      return next && { delivery: next.value, isLast: pending.length === 1 };
    },
    deliveryLanes(webhookId, slots) {
      const lanes = new Map<string, DeliveryLane>();
      for (const { value } of pendingOf(webhookId)) {
        if (slots?.has(value.emitterId) === false) continue;
        const key = `${value.webhookId} ${value.emitterId}`;
        const at = Math.min(value.nextAttemptAt ?? Infinity, lanes.get(key)?.at ?? Infinity);
        lanes.set(key, { webhookId: value.webhookId, emitterId: value.emitterId, at });
      }
      return [...lanes.values()];
    },
    pendingDeliveries() {
      const pending = pendingOf();
      return { count: pending.length, oldestAt: pending[0]?.value.createdAt };
    },
  };
}
