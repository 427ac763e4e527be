import type {
  Delivery,
  DeliveryDetail,
  NewWebhook,
  WebhookActivity,
  Redelivery,
  RedeliveryFilter,
  WebhookChange,
  WebhookFilter,
  WebhookView,
} from "../api/api.ts";
import {
  XError,
  createDispatcher,
  formatEventId,
  readEach,
  type Clock,
  type Delivery as DeliveryRecord,
  type DeliveryPage,
  type Page,
  type Paged,
  type QueuedDelivery,
  type Webhook,
  webhookFormats,
} from "@x/model";
import type { Outbox } from "./outbox.ts";
import { createMatchingLists, type Store } from "@x/store";
import { createRedeliveries } from "./redelivery.ts";
import { readWebhookActivity } from "./webhook-activity.ts";
import { listWebhooks } from "./webhook-list.ts";
import { checkUrl, type Forbidden, newWebhook, rotateKey } from "./webhook.ts";

export interface WebhooksParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly forbidden: Forbidden;
  readonly outbox: Pick<Outbox, "queued" | "wake">;
  /** One attempt to deliver takes at most so long. */
  readonly attemptMs: number;
}

/** URLs that receive events, and the deliveries to them. Methods reject with `not_found` for ids of other users. */
export interface Webhooks {
  /** Resolves with the signing key, which no other method but `rotateKey` returns. */
  create(input: NewWebhook, userId: string): Promise<Webhook>;
  view(id: string, userId: string): Promise<WebhookView>;
  list(page: Page, filter: WebhookFilter, userId: string): Promise<Paged<WebhookView>>;
  update(id: string, change: WebhookChange, userId: string): Promise<WebhookView>;
  delete(id: string, userId: string): Promise<void>;
  rotateKey(id: string, userId: string): Promise<Webhook>;
  /** Makes it inactive, because its receiver is gone for good. */
  deactivate(id: string): Promise<void>;
  deliveries(id: string, page: DeliveryPage, userId: string): Promise<Paged<Delivery>>;
  delivery(id: string, deliveryId: string, userId: string): Promise<DeliveryDetail>;
  activity(id: string, userId: string): Promise<WebhookActivity>;
  /** Makes one more attempt now, whatever the status. Rejects with `inactive` when the webhook is. */
  redeliver(id: string, deliveryId: string, options: Redelivery, userId: string): Promise<Delivery>;
  /** The same for many; resolves with their number. */
  redeliverMany(id: string, filter: RedeliveryFilter, userId: string): Promise<number>;
}

/** The delivery as clients see it. */
const shownDelivery = (delivery: DeliveryRecord): Delivery => ({
  ...delivery,
  eventId: formatEventId(delivery.eventId),
});

const viewOf = ({ signingKey: _key, previousKeys: _past, ...view }: Webhook): WebhookView => view;

function checkFormat(format: string): void {
  if (webhookFormats.some((each) => each === format)) return;
  const expected = webhookFormats.map((each) => `"${each}"`).join(" or ");
  throw new XError("invalid_parameter", ["format", expected, JSON.stringify(format)], {
    details: { received: format },
  });
}

export function createWebhooks(parts: WebhooksParts): Webhooks {
  const { store, clock, forbidden, outbox } = parts;
  const lists = createMatchingLists();
  // One change of a webhook at a time, because each writes the whole record.
  const lanes = createDispatcher();
  const redeliveries = createRedeliveries(parts);

  async function own(id: string, userId: string): Promise<Webhook> {
    const webhook = await store.webhook(id);
    if (webhook?.userId !== userId) throw new XError("not_found", ["webhook", id]);
    return webhook;
  }

  async function deliveryOf(id: string, deliveryId: string): Promise<QueuedDelivery> {
    const found = await store.delivery(deliveryId);
    if (found?.webhookId !== id) throw new XError("not_found", ["delivery", deliveryId]);
    return found;
  }

  return {
    async create({ url, name = null, description = null, format = "event" }, userId) {
      readEach({ url: () => checkUrl(url, forbidden), format: () => checkFormat(format) });
      const webhook = newWebhook({ userId, url, name, description, format }, clock.now());
      await store.commit([{ op: "webhook.put", webhook }]);
      return webhook;
    },
    view: async (id, userId) => viewOf(await own(id, userId)),
    async list(page, filter, userId) {
      const { totalCount, items } = await listWebhooks(page, filter, userId, { ...parts, lists });
      return { totalCount, items: items.map(viewOf) };
    },
    update: (id, change, userId) =>
      lanes.run(id, async () => {
        const current = await own(id, userId);
        const { url, format } = change;
        readEach({
          ...(url !== undefined && { url: () => checkUrl(url, forbidden) }),
          ...(format !== undefined && { format: () => checkFormat(format) }),
        });
        const webhook = { ...current, ...change, updatedAt: clock.now() };
        await store.commit([{ op: "webhook.put", webhook }]);
        if (webhook.active && !current.active) await outbox.wake(id);
        return viewOf(webhook);
      }),
    delete: (id, userId) =>
      lanes.run(id, async () => {
        await own(id, userId);
        await store.commit([{ op: "webhook.delete", id }]);
      }),
    rotateKey: (id, userId) =>
      lanes.run(id, async () => {
        const webhook = rotateKey(await own(id, userId), clock.now());
        await store.commit([{ op: "webhook.put", webhook }]);
        return webhook;
      }),
    deactivate: (id) =>
      lanes.run(id, async () => {
        const webhook = await store.webhook(id);
        if (webhook?.active !== true) return;
        const updatedAt = clock.now();
        await store.commit([{ op: "webhook.put", webhook: { ...webhook, active: false, updatedAt } }]);
      }),
    async deliveries(id, page, userId) {
      await own(id, userId);
      const { totalCount, items } = await store.deliveries(id, page);
      return { totalCount, items: items.map(shownDelivery) };
    },
    async delivery(id, deliveryId, userId) {
      await own(id, userId);
      const { payload, ...found } = await deliveryOf(id, deliveryId);
      return { ...shownDelivery(found), payload };
    },
    async activity(id, userId) {
      await own(id, userId);
      return readWebhookActivity(id, clock.now(), store);
    },
    async redeliver(id, deliveryId, options, userId) {
      const webhook = await own(id, userId);
      const { payload: _payload, ...delivery } = await deliveryOf(id, deliveryId);
      return shownDelivery(await redeliveries.one(webhook, delivery, options));
    },
    redeliverMany: async (id, filter, userId) => redeliveries.many(await own(id, userId), filter),
  };
}
