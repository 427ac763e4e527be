import { type AutoSubscription, type Subscription, parseWebhook, type WebhookRow } from "@x/runtime/store";

import { readUserPage } from "./list-page.ts";
import type { Query } from "./query.ts";
import type { Reads } from "./reads.ts";

const ofUser = (userId: string | undefined): string => (userId === undefined ? "" : "WHERE user_id = $1");
const given = (userId: string | undefined): string[] => (userId === undefined ? [] : [userId]);

const columns = `id, user_id AS "userId", listener_id AS "listenerId", event_name AS "eventName", created_at AS "createdAt"`;

/** Reads subscriptions and webhooks. */
export const listenerReads = (
  query: Query,
): Pick<Reads, "subscriptions" | "autoSubscriptions" | "webhook" | "webhooks" | "allWebhooks"> => ({
  subscriptions: (userId) =>
    query.all<Subscription>(
      `SELECT ${columns}, emitter_id AS "emitterId" FROM @subscription ${ofUser(userId)} ORDER BY position DESC`,
      ...given(userId),
    ),
  autoSubscriptions: (userId) =>
    query.all<AutoSubscription>(
      `SELECT ${columns} FROM @auto_subscription ${ofUser(userId)} ORDER BY position DESC`,
      ...given(userId),
    ),
  async webhook(id) {
    const row = await query.one<WebhookRow>("SELECT skipped, record FROM @webhook WHERE id = $1", id);
    return row && parseWebhook(row);
  },
  webhooks: (userId, page) =>
    readUserPage(query, { table: "webhook", columns: "skipped, record", ids: /^wh_/ }, userId, page, parseWebhook),
  allWebhooks: async () =>
    (await query.all<WebhookRow>("SELECT skipped, record FROM @webhook ORDER BY position")).map(parseWebhook),
});
