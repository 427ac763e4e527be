import type { Delivery, Subscription, Webhook } from "@x/client";

import { request } from "../api/client.ts";
import { readAll, readPage } from "../api/pages.ts";
import type { DataOf } from "../api/shapes.ts";
import { type DeliveryStatus, nameOf } from "../webhooks/webhook.ts";

/** What became of an event at one webhook. */
export interface EventDelivery {
  readonly webhookId: string;
  /** What the webhook is called. */
  readonly name: string;
  readonly deliveryId: string;
  readonly status: DeliveryStatus;
}

/** Deliveries by the id of their event; undefined when no webhook listens to the source. */
export type Deliveries = ReadonlyMap<string, readonly EventDelivery[]> | undefined;

const mostWebhooks = 10_000;

const listensTo = (sourceId: string, { emitter_id, listener_id }: Subscription): boolean =>
  (emitter_id === sourceId || emitter_id === "dc_*") && listener_id.startsWith("wh_");

/** Reads the newest deliveries of the webhooks that listen to a source. */
export async function readDeliveries(sourceId: string, signal: AbortSignal): Promise<Deliveries> {
  const path = "/users/me/subscriptions";
  const { data: subscriptions } = await request<DataOf<readonly Subscription[]>>("GET", path, { signal });
  const webhooks = new Set(subscriptions.filter((each) => listensTo(sourceId, each)).map(({ listener_id: id }) => id));
  if (webhooks.size === 0) return undefined;
  const known = await readAll<Webhook>("/users/me/webhooks", { include: "id,name,url" }, mostWebhooks, signal);
  const found = new Map<string, EventDelivery[]>();
  for (const webhook of known.filter(({ id }) => webhooks.has(id))) {
    const { data } = await readPage<Pick<Delivery, "id" | "event_id" | "status">>(
      `/webhooks/${webhook.id}/deliveries`,
      { include: "id,event_id,status" },
      signal,
    );
    for (const { id, event_id: eventId, status } of data)
      found.set(eventId, [
        ...(found.get(eventId) ?? []),
        { webhookId: webhook.id, name: nameOf(webhook), deliveryId: id, status },
      ]);
  }
  return found;
}
