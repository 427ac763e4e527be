import type { WebhookFilter } from "../api/api.ts";
import { parseSearch, type Page, type Paged, type Webhook } from "@x/model";
import type { ListQuery, MatchingLists, Store } from "@x/store";
import { readLastAttempt } from "./webhook-activity.ts";

export interface WebhookListParts {
  readonly store: Pick<Store, "webhooks" | "deliveries">;
  readonly lists: MatchingLists;
}

type Status = Exclude<WebhookFilter["status"], undefined>;

const hasDelivery = async (
  id: string,
  status: "dead" | "pending",
  store: WebhookListParts["store"],
): Promise<boolean> => (await store.deliveries(id, { limit: 1, status, total: false })).items.length > 0;

/** Each reads only what it has to know: a list may have many webhooks, and a webhook many deliveries. */
const tests: Readonly<
  Record<Status, (webhook: Webhook, store: WebhookListParts["store"]) => boolean | Promise<boolean>>
> = {
  paused: ({ active }) => !active,
  failing: async ({ id, active }, store) => active && ((await readLastAttempt(id, store))?.error ?? null) !== null,
  dead: ({ id }, store) => hasDelivery(id, "dead", store),
  pending: ({ id }, store) => hasDelivery(id, "pending", store),
};

/** A page of the user's webhooks that match. */
export async function listWebhooks(
  page: Page,
  { text = "", status }: WebhookFilter,
  userId: string,
  { store, lists }: WebhookListParts,
): Promise<Paged<Webhook>> {
  const read = (slice: ListQuery): Promise<Paged<Webhook>> => store.webhooks(userId, slice);
  const isFound = parseSearch(text);
  if (!isFound && status === undefined) return read(page);
  const matches = (webhook: Webhook): boolean | Promise<boolean> => {
    if (isFound?.([webhook.name, webhook.url], webhook.id) === false) return false;
    return status === undefined || tests[status](webhook, store);
  };
  return lists.page({ key: JSON.stringify([userId, text, status]), read, matches }, page);
}
