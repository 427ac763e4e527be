import type { QueuedDelivery } from "../../model/listener-model.ts";
import type { DeliveryChange } from "../contract.ts";
import type { SharedPayloads } from "../payload-sharing.ts";
import { writeNumbers as write, type Work } from "./statements.ts";

function pushDelivery(work: Work, delivery: QueuedDelivery, shared: SharedPayloads): void {
  const { id, webhookId, emitterId, eventId, emitId, eventName, ts, status, nextAttemptAt, createdAt } = delivery;
  work.push(
    write.addDelivery,
    id,
    webhookId,
    emitterId,
    eventId.ms,
    eventId.seq,
    emitId,
    eventName,
    ts ?? null,
    status,
  );
  const isShared = shared.has(emitId);
  work.push(nextAttemptAt, createdAt, JSON.stringify(delivery.attempts), isShared ? "" : delivery.payload);
  work.push(isShared ? 1 : 0, delivery.trace ?? null);
}

/** Encodes a change of subscriptions, webhooks or deliveries. */
export function pushDeliveryChange(work: Work, change: DeliveryChange, shared: SharedPayloads): void {
  switch (change.op) {
    case "subscription.add": {
      const { id, userId, emitterId, listenerId, eventName, createdAt } = change.subscription;
      work.push(write.addSubscription, id, userId, emitterId, listenerId, eventName, createdAt);
      return;
    }
    case "subscription.delete":
      work.push(write.deleteSubscription, change.id);
      return;
    case "auto_subscription.add": {
      const { id, userId, eventName, listenerId, createdAt } = change.autoSubscription;
      work.push(write.addAutoSubscription, id, userId, eventName, listenerId, createdAt);
      return;
    }
    case "auto_subscription.delete":
      work.push(write.deleteAutoSubscription, change.id);
      return;
    case "webhook.put": {
      const { skipped, ...record } = change.webhook;
      work.push(write.putWebhook, record.id, record.userId, skipped, JSON.stringify(record));
      return;
    }
    case "webhook.delete":
      work.push(
        write.keepWebhookPosition,
        change.id,
        write.deleteWebhook,
        change.id,
        write.deleteDeliveries,
        change.id,
      );
      work.push(write.deleteSubscriptionsTo, change.id, write.deleteAutoSubscriptionsTo, change.id);
      return;
    case "webhook.skip":
      work.push(write.skipWebhook, change.count, change.id);
      return;
    case "delivery.add":
      pushDelivery(work, change.delivery, shared);
      return;
    case "delivery.update": {
      const { id, status, nextAttemptAt, attempts } = change;
      work.push(write.updateDelivery, status, nextAttemptAt, JSON.stringify(attempts), id);
      return;
    }
    case "deliveries.trim":
      work.push(write.trimDeliveries, change.webhookId, change.status, change.keep);
      return;
  }
}
