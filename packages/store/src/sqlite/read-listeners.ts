import type { AutoSubscription, Subscription } from "@x/model";
import type { SyncReads } from "../reads.ts";
import { readUserPage } from "./list-page.ts";
import { parseWebhook, type WebhookRow } from "../rows/record-row.ts";
import type { Query } from "./query.ts";

interface AutoSubscriptionRow {
  readonly id: string;
  readonly user_id: string;
  readonly listener_id: string;
  readonly event_name: string;
  readonly created_at: number;
}

interface SubscriptionRow extends AutoSubscriptionRow {
  readonly emitter_id: string;
}

const parseAutoSubscription = (row: AutoSubscriptionRow): AutoSubscription => ({
  id: row.id,
  userId: row.user_id,
  eventName: row.event_name,
  listenerId: row.listener_id,
  createdAt: row.created_at,
});

const parseSubscription = (row: SubscriptionRow): Subscription => ({
  ...parseAutoSubscription(row),
  emitterId: row.emitter_id,
});

/** Reads subscriptions and webhooks. */
export function listenerReads(
  query: Query,
): Pick<SyncReads, "subscriptions" | "autoSubscriptions" | "webhook" | "webhooks" | "allWebhooks"> {
  const newestFirst = <Row>(table: string, columns: string, userId: string | undefined): Row[] => {
    const where = userId === undefined ? "" : "WHERE user_id = ?";
    const sql = `SELECT ${columns} FROM ${table} ${where} ORDER BY position DESC`;
    return query.all<Row>(sql, ...(userId === undefined ? [] : [userId]));
  };
  const columns = "id, user_id, listener_id, event_name, created_at";
  return {
    subscriptions: (userId) =>
      newestFirst<SubscriptionRow>("subscription", `${columns}, emitter_id`, userId).map(parseSubscription),
    autoSubscriptions: (userId) =>
      newestFirst<AutoSubscriptionRow>("auto_subscription", columns, userId).map(parseAutoSubscription),
    webhook(id) {
      const row = query.one<WebhookRow>("SELECT skipped, record FROM webhook WHERE id = ?", id);
      return row && parseWebhook(row);
    },
    webhooks: (userId, page) =>
      readUserPage(query, { table: "webhook", columns: "skipped, record", ids: /^wh_/ }, userId, page, parseWebhook),
    allWebhooks: () => query.all<WebhookRow>("SELECT skipped, record FROM webhook ORDER BY position").map(parseWebhook),
  };
}
