import type { QueuedDelivery } from "@x/model";
import type { DeliveryChange } from "../contract.ts";
import type { SharedPayloads } from "../payload-sharing.ts";
import type { RowList } from "./row-list.ts";

function addDelivery(list: RowList, delivery: QueuedDelivery, shared: SharedPayloads): void {
  const { id, webhookId, emitterId, eventId, emitId, eventName, ts, status, nextAttemptAt, createdAt } = delivery;
  const isShared = shared.has(emitId);
  list.add(
    "addDelivery",
    isShared ? [`delivery:${id}`, `shared:${emitId}`] : `delivery:${id}`,
    id,
    webhookId,
    emitterId,
    eventId.ms,
    eventId.seq,
    emitId,
    eventName,
    ts ?? null,
    status,
    nextAttemptAt,
    createdAt,
    JSON.stringify(delivery.attempts),
    Buffer.byteLength(delivery.payload),
    isShared,
    delivery.trace ?? null,
    isShared ? "" : delivery.payload,
  );
}

/** Adds the rows of a change of subscriptions, webhooks or deliveries. */
export function addDeliveryChange(list: RowList, change: DeliveryChange, shared: SharedPayloads): void {
  switch (change.op) {
    case "subscription.add": {
      const { id, userId, emitterId, listenerId, eventName, createdAt } = change.subscription;
      list.add("addSubscription", "subscription", id, userId, emitterId, listenerId, eventName, createdAt);
      return;
    }
    case "subscription.delete":
      list.add("deleteSubscription", "subscription", change.id);
      return;
    case "auto_subscription.add": {
      const { id, userId, eventName, listenerId, createdAt } = change.autoSubscription;
      list.add("addAutoSubscription", "auto_subscription", id, userId, eventName, listenerId, createdAt);
      return;
    }
    case "auto_subscription.delete":
      list.add("deleteAutoSubscription", "auto_subscription", change.id);
      return;
    case "webhook.put": {
      const { skipped, ...record } = change.webhook;
      list.add("putWebhook", "webhook", record.id, record.userId, skipped, JSON.stringify(record));
      return;
    }
    case "webhook.delete":
      list.add("keepWebhookPosition", ["webhook", "list_position"], change.id);
      list.add("deleteWebhook", "webhook", change.id);
      list.add("deleteDeliveries", "delivery", change.id);
      list.add("deleteSubscriptionsTo", "subscription", change.id);
      list.add("deleteAutoSubscriptionsTo", "auto_subscription", change.id);
      return;
    case "webhook.skip":
      list.add("skipWebhook", "webhook", change.id, change.count);
      return;
    case "delivery.add":
      addDelivery(list, change.delivery, shared);
      return;
    case "delivery.update": {
      const { id, status, nextAttemptAt, attempts } = change;
      list.add("updateDelivery", `delivery:${id}`, id, status, nextAttemptAt, JSON.stringify(attempts));
      return;
    }
    case "deliveries.trim":
      list.add("trimDeliveries", "delivery", change.webhookId, change.status, change.keep);
      return;
  }
}
