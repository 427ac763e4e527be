import type { WebhookActivity, WebhookFilter } from "../api/api.ts";
import { parseSearch, type Clock, type Page, type Paged, type Webhook } from "@x/model";
import type { ListQuery, MatchingLists, Store } from "@x/store";
import { readWebhookActivity } from "./webhook-activity.ts";

type ActivityStatus = Exclude<WebhookFilter["status"], undefined | "paused">;

export interface WebhookListParts {
  readonly store: Pick<Store, "webhooks" | "deliveries" | "deliveryCounts">;
  readonly lists: MatchingLists;
  readonly clock: Pick<Clock, "now">;
}

const tests: Readonly<Record<ActivityStatus, (webhook: Webhook, activity: WebhookActivity) => boolean>> = {
  failing: ({ active }, { lastAttempt }) => active && (lastAttempt?.error ?? null) !== null,
  dead: (_, { dead }) => dead > 0,
  pending: (_, { pending }) => pending > 0,
};

/** A page of the user's webhooks that match. */
export async function listWebhooks(
  page: Page,
  { text = "", status }: WebhookFilter,
  userId: string,
  { store, lists, clock }: WebhookListParts,
): Promise<Paged<Webhook>> {
  const read = (slice: ListQuery): Promise<Paged<Webhook>> => store.webhooks(userId, slice);
  const isFound = parseSearch(text);
  if (!isFound && status === undefined) return read(page);
  const now = clock.now();
  async function matches(webhook: Webhook): Promise<boolean> {
    if (isFound?.([webhook.name, webhook.url], webhook.id) === false) return false;
    if (status === undefined) return true;
    if (status === "paused") return !webhook.active;
    return tests[status](webhook, await readWebhookActivity(webhook.id, now, store));
  }
  return lists.page({ key: JSON.stringify([userId, text, status]), read, matches }, page);
}
