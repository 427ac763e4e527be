import type { WebhookActivity } from "../api/api.ts";
import type { DeliveryAttempt } from "@x/model";
import type { Store } from "@x/store";
import { retained } from "./attempt-result.ts";

const dayMs = 24 * 3_600_000;
/** An older delivery may be tried after a newer one. */
const lookedThrough = 20;

/** The last attempt of all deliveries of a webhook. */
export async function readLastAttempt(
  id: string,
  store: Pick<Store, "deliveries">,
): Promise<DeliveryAttempt | undefined> {
  const { items } = await store.deliveries(id, { limit: lookedThrough, attempted: true, total: false });
  return items.flatMap(({ attempts }) => attempts.slice(-1)).toSorted((a, b) => b.at - a.at)[0];
}

/** What became of the deliveries of a webhook. */
export async function readWebhookActivity(
  id: string,
  now: number,
  store: Pick<Store, "deliveries" | "deliveryCounts">,
): Promise<WebhookActivity> {
  const lastAttempt = await readLastAttempt(id, store);
  let since = now - dayMs;
  let counts = await store.deliveryCounts(id, { now, since });
  const { delivered, oldestDeliveredAt } = counts;
  // Fewer delivered ones are stored than dead ones: both are counted from when all of them are stored.
  if (delivered >= retained.delivered && oldestDeliveredAt !== null && oldestDeliveredAt > since) {
    since = oldestDeliveredAt;
    counts = await store.deliveryCounts(id, { now, since });
  }
  return {
    pending: counts.pending,
    oldestPendingAt: counts.oldestPendingAt,
    due: counts.due,
    dead: counts.dead,
    since,
    delivered: counts.recentlyDelivered,
    failed: counts.recentlyFailed,
    lastAttempt,
  };
}
