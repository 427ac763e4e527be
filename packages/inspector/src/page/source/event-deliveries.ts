import type { Delivery, Subscription } from "@x/client";

import { request } from "../api/client.ts";
import { readPage } from "../api/pages.ts";
import type { DataOf } from "../api/shapes.ts";
import { type DeliveryStatus, readWebhookNames } from "../webhooks/webhook.ts";

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

/** What became of events is shown for so many webhooks. */
const maxWebhooks = 20;

const listensTo = (sourceId: string, { emitter_id, listener_id }: Subscription): boolean =>
  (emitter_id === sourceId || emitter_id === "dc_*") && listener_id.startsWith("wh_");

/** Reads the newest deliveries of the webhooks that listen to a source. */
export async function readDeliveries(sourceId: string, signal: AbortSignal): Promise<Deliveries> {
  const path = "/users/me/subscriptions";
  const { data: subscriptions } = await request<DataOf<readonly Subscription[]>>("GET", path, { signal });
  const listeners = subscriptions.filter((each) => listensTo(sourceId, each)).map(({ listener_id: id }) => id);
  const webhooks = [...new Set(listeners)].slice(0, maxWebhooks);
  if (webhooks.length === 0) return undefined;
  const found = new Map<string, EventDelivery[]>();
  for (const [webhookId, name] of await readWebhookNames(webhooks, signal)) {
    const { data } = await readPage<Pick<Delivery, "id" | "event_id" | "status">>(
      `/webhooks/${webhookId}/deliveries`,
      { include: "id,event_id,status" },
      signal,
    );
    for (const { id, event_id: eventId, status } of data)
      found.set(eventId, [...(found.get(eventId) ?? []), { webhookId, name, deliveryId: id, status }]);
  }
  return found;
}
