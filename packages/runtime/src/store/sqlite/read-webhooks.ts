import type { Webhook } from "../../model/listener-model.ts";
import type { Page, Paged } from "../../model/model.ts";
import { readPlacedPage } from "./placed-page.ts";
import type { Query } from "./query.ts";
import { readPlace } from "./read-place.ts";
import { parseRecord } from "./rows.ts";

interface WebhookRow {
  readonly skipped: number;
  readonly record: string;
}

const parseWebhook = (row: WebhookRow): Webhook => ({ ...parseRecord<Webhook>(row), skipped: row.skipped });

export function readWebhook(query: Query, id: string): Webhook | undefined {
  const row = query.one<WebhookRow>("SELECT skipped, record FROM webhook WHERE id = ?", id);
  return row && parseWebhook(row);
}

/** Of all users, oldest first. */
export const readAllWebhooks = (query: Query): Webhook[] =>
  query.all<WebhookRow>("SELECT skipped, record FROM webhook ORDER BY place").map(parseWebhook);

/** A page of a user's webhooks, newest created first; cursors of deleted webhooks keep their place. */
export function readWebhooks(query: Query, userId: string, page: Page): Paged<Webhook> {
  const rows = {
    columns: "skipped, record",
    from: "webhook WHERE user_id = ?",
    values: [userId],
    sizeOf: ({ record }: WebhookRow) => record.length,
    placeOf: (id: string) => readPlace(query, "webhook", userId, id),
  };
  return readPlacedPage(query, rows, page, parseWebhook);
}
