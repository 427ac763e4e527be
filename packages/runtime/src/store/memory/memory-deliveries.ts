import type { Delivery, QueuedDelivery, Webhook } from "../../model/listener-model.ts";
import type { Page } from "../../model/model.ts";
import type { DeliveryChange, DeliveryLane, Store } from "../contract.ts";
import { type Placed, placeKey, type Tables } from "./memory-tables.ts";
import { put, putPlaced, refuse, type Undo } from "./memory-undo.ts";
import { cutPage } from "./page.ts";
import { placesOf } from "../../model/cursor.ts";

/** Removes the subscriptions that name an emitter, and those by which it listens. */
export function deleteSubscriptions(tables: Tables, id: string, undo: Undo): void {
  for (const [key, { value }] of tables.subscriptions) {
    if (value.emitterId === id || value.listenerId === id) put(tables.subscriptions, key, undefined, undo);
  }
  for (const [key, { value }] of tables.autoSubscriptions) {
    if (value.listenerId === id) put(tables.autoSubscriptions, key, undefined, undo);
  }
}

function trim(tables: Tables, change: Extract<DeliveryChange, { op: "deliveries.trim" }>, undo: Undo): void {
  const rows = [...tables.deliveries.values()]
    .filter(({ value }) => value.webhookId === change.webhookId && value.status === change.status)
    .sort((a, b) => b.place - a.place);
  for (const { value } of rows.slice(change.keep)) put(tables.deliveries, value.id, undefined, undo);
}

/** Applies one change of subscriptions, webhooks or deliveries. */
export function applyDeliveryChange(tables: Tables, change: DeliveryChange, undo: Undo): void {
  switch (change.op) {
    case "subscription.add": {
      const { subscription: added } = change;
      for (const { value } of tables.subscriptions.values()) {
        const same = value.emitterId === added.emitterId && value.listenerId === added.listenerId;
        if (same && value.userId === added.userId && value.eventName === added.eventName) refuse("it is there already");
      }
      putPlaced(tables, tables.subscriptions, added, undo);
      return;
    }
    case "subscription.delete":
      put(tables.subscriptions, change.id, undefined, undo);
      return;
    case "auto_subscription.add": {
      const { autoSubscription: added } = change;
      for (const { value } of tables.autoSubscriptions.values()) {
        const same = value.listenerId === added.listenerId && value.eventName === added.eventName;
        if (same && value.userId === added.userId) refuse("it is there already");
      }
      putPlaced(tables, tables.autoSubscriptions, added, undo);
      return;
    }
    case "auto_subscription.delete":
      put(tables.autoSubscriptions, change.id, undefined, undo);
      return;
    case "webhook.put": {
      const skipped = tables.webhooks.get(change.webhook.id)?.value.skipped ?? change.webhook.skipped;
      const place = putPlaced(tables, tables.webhooks, { ...change.webhook, skipped }, undo);
      put(tables.sourcePlaces, placeKey(change.webhook.userId, change.webhook.id), place, undo);
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
      putPlaced(tables, tables.deliveries, change.delivery, undo);
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

const newestFirst = <T>(rows: Iterable<Placed<T>>): Placed<T>[] => [...rows].sort((a, b) => b.place - a.place);

function withoutPayload({ payload: _payload, ...delivery }: QueuedDelivery): Delivery {
  return delivery;
}

type DeliveryReads = Pick<
  Store,
  | "subscriptions"
  | "autoSubscriptions"
  | "webhook"
  | "webhooks"
  | "allWebhooks"
  | "delivery"
  | "deliveries"
  | "dueDelivery"
  | "deliveryLanes"
>;

/** The reads of subscriptions, webhooks and deliveries; `ready` throws when the store is closed. */
export function memoryDeliveryReads(tables: Tables, ready: () => void): DeliveryReads {
  const page = <T extends { readonly id: string }>(
    rows: readonly Placed<T>[],
    placeOf: (id: string) => number | undefined,
    wanted: Page,
  ): { totalCount: number; items: readonly T[] } => {
    const { after: from, before: to } = placesOf(wanted, placeOf);
    const place = (index: number): number => rows[index]?.place ?? 0;
    return cutPage(
      rows.map((row) => row.value),
      {
        limit: wanted.limit,
        bytes: wanted.bytes,
        isAfter: from === undefined ? undefined : (index) => place(index) < from,
        isBefore: to === undefined ? undefined : (index) => place(index) > to,
      },
    );
  };
  const pendingOf = (webhookId?: string, emitterId?: string): Placed<QueuedDelivery>[] =>
    [...tables.deliveries.values()].filter(
      ({ value }) =>
        value.status === "pending" &&
        (webhookId === undefined || value.webhookId === webhookId) &&
        (emitterId === undefined || value.emitterId === emitterId),
    );

  return {
    async subscriptions(userId) {
      ready();
      const values = newestFirst(tables.subscriptions.values()).map((row) => row.value);
      return userId === undefined ? values : values.filter((value) => value.userId === userId);
    },
    async autoSubscriptions(userId) {
      ready();
      const values = newestFirst(tables.autoSubscriptions.values()).map((row) => row.value);
      return userId === undefined ? values : values.filter((value) => value.userId === userId);
    },
    async webhook(id) {
      ready();
      return tables.webhooks.get(id)?.value;
    },
    async webhooks(userId, wanted) {
      ready();
      const rows = newestFirst(tables.webhooks.values()).filter(({ value }) => value.userId === userId);
      return page<Webhook>(
        rows,
        (id) => (id.startsWith("wh_") ? tables.sourcePlaces.get(placeKey(userId, id)) : undefined),
        wanted,
      );
    },
    async allWebhooks() {
      ready();
      return newestFirst(tables.webhooks.values())
        .map((row) => row.value)
        .toReversed();
    },
    async delivery(id) {
      ready();
      return tables.deliveries.get(id)?.value;
    },
    async deliveries(webhookId, wanted) {
      ready();
      const rows = newestFirst(tables.deliveries.values()).filter(({ value }) => value.webhookId === webhookId);
      const found = page(rows, (id) => rows.find(({ value }) => value.id === id)?.place, wanted);
      return { totalCount: found.totalCount, items: found.items.map(withoutPayload) };
    },
    async dueDelivery(webhookId, emitterId, now) {
      ready();
      const dueAt = ({ value }: Placed<QueuedDelivery>): number => value.nextAttemptAt ?? Infinity;
      const due = pendingOf(webhookId, emitterId).filter((row) => dueAt(row) <= now);
      return due.sort((a, b) => dueAt(a) - dueAt(b) || a.place - b.place)[0]?.value;
    },
    async deliveryLanes(webhookId, emitterId) {
      ready();
      const lanes = new Map<string, DeliveryLane>();
      for (const { value } of pendingOf(webhookId, emitterId)) {
        const key = `${value.webhookId} ${value.emitterId}`;
        const at = Math.min(value.nextAttemptAt ?? Infinity, lanes.get(key)?.at ?? Infinity);
        lanes.set(key, { webhookId: value.webhookId, emitterId: value.emitterId, at });
      }
      return [...lanes.values()];
    },
  };
}
