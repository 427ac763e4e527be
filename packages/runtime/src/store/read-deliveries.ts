import type {
  AutoSubscription,
  Delivery,
  DeliveryAttempt,
  DeliveryStatus,
  Page,
  Paged,
  QueuedDelivery,
  Subscription,
  Webhook,
} from "../model.ts";
import type { DeliveryLane } from "./contract.ts";
import { readPlace } from "./read-place.ts";
import type { Query } from "./reader.ts";
import { parseRecord } from "./rows.ts";

interface SubscriptionRow {
  readonly id: string;
  readonly user_id: string;
  readonly emitter_id: string;
  readonly listener_id: string;
  readonly event_name: string;
  readonly created_at: number;
}

interface WebhookRow {
  readonly skipped: number;
  readonly record: string;
}

interface DeliveryRow {
  readonly id: string;
  readonly webhook_id: string;
  readonly emitter_id: string;
  readonly event_ms: number;
  readonly event_seq: number;
  readonly emit_id: string;
  readonly event_name: string;
  readonly ts: number | null;
  readonly status: DeliveryStatus;
  readonly next_at: number | null;
  readonly created_at: number;
  readonly attempts: string;
}

interface LaneRow {
  readonly webhook_id: string;
  readonly emitter_id: string;
  readonly at: number;
}

const deliveryColumns =
  "id, webhook_id, emitter_id, event_ms, event_seq, emit_id, event_name, ts, status, next_at, created_at, attempts";

const parseWebhook = (row: WebhookRow): Webhook => ({ ...parseRecord<Webhook>(row), skipped: row.skipped });

const parseDelivery = (row: DeliveryRow): Delivery => ({
  id: row.id,
  webhookId: row.webhook_id,
  emitterId: row.emitter_id,
  eventId: { ms: row.event_ms, seq: row.event_seq },
  emitId: row.emit_id,
  eventName: row.event_name,
  ...(row.ts !== null && { ts: row.ts }),
  status: row.status,
  attempts: JSON.parse(row.attempts) as DeliveryAttempt[],
  nextAttemptAt: row.next_at,
  createdAt: row.created_at,
});

const parseQueued = (row: DeliveryRow & { readonly payload: string }): QueuedDelivery => ({
  ...parseDelivery(row),
  payload: row.payload,
});

/** Newest first; all users, or one. */
export function readSubscriptions(query: Query, userId: string | undefined): Subscription[] {
  const where = userId === undefined ? "" : "WHERE user_id = ?";
  const sql = `SELECT id, user_id, emitter_id, listener_id, event_name, created_at FROM subscription ${where} ORDER BY place DESC`;
  const rows = query.all<SubscriptionRow>(sql, ...(userId === undefined ? [] : [userId]));
  return rows.map((row) => ({
    id: row.id,
    userId: row.user_id,
    emitterId: row.emitter_id,
    listenerId: row.listener_id,
    eventName: row.event_name,
    createdAt: row.created_at,
  }));
}

/** Newest first; all users, or one. */
export function readAutoSubscriptions(query: Query, userId: string | undefined): AutoSubscription[] {
  const where = userId === undefined ? "" : "WHERE user_id = ?";
  const sql = `SELECT id, user_id, event_name, listener_id, created_at FROM auto_subscription ${where} ORDER BY place DESC`;
  const rows = query.all<Omit<SubscriptionRow, "emitter_id">>(sql, ...(userId === undefined ? [] : [userId]));
  return rows.map((row) => ({
    id: row.id,
    userId: row.user_id,
    eventName: row.event_name,
    listenerId: row.listener_id,
    createdAt: row.created_at,
  }));
}

export function readWebhook(query: Query, id: string): Webhook | undefined {
  const row = query.one<WebhookRow>("SELECT skipped, record FROM webhook WHERE id = ?", id);
  return row && parseWebhook(row);
}

/** Of all users, oldest first. */
export const readAllWebhooks = (query: Query): Webhook[] =>
  query.all<WebhookRow>("SELECT skipped, record FROM webhook ORDER BY place").map(parseWebhook);

/** A page of rows in the order of their places, newest first, from the cursors' places. */
function readPlaced<Row>(query: Query, sql: string, owner: string, page: Page, places: PlaceOf): Row[] {
  const after = places(page.after);
  const before = places(page.before);
  // With `before` alone the page ends at the cursor, so it is read from there, oldest first.
  const backwards = before !== undefined && after === undefined;
  const order = `AND place < ? AND place > ? ORDER BY place ${backwards ? "ASC" : "DESC"} LIMIT ?`;
  const rows = query.all<Row>(`${sql} ${order}`, owner, after ?? Number.MAX_SAFE_INTEGER, before ?? 0, page.limit);
  return backwards ? rows.toReversed() : rows;
}

type PlaceOf = (id: string | undefined) => number | undefined;

const count = (query: Query, sql: string, owner: string): number => query.one<{ n: number }>(sql, owner)?.n ?? 0;

/** A page of a user's webhooks, newest created first; cursors of deleted webhooks keep their place. */
export function readWebhooks(query: Query, userId: string, page: Page): Paged<Webhook> {
  return query.snapshot(() => {
    const places: PlaceOf = (id) => readPlace(query, "webhook", userId, id);
    const sql = "SELECT skipped, record FROM webhook WHERE user_id = ?";
    const items = readPlaced<WebhookRow>(query, sql, userId, page, places).map(parseWebhook);
    return { totalCount: count(query, "SELECT count(*) AS n FROM webhook WHERE user_id = ?", userId), items };
  });
}

export function readDelivery(query: Query, id: string): QueuedDelivery | undefined {
  const sql = `SELECT ${deliveryColumns}, payload FROM delivery WHERE id = ?`;
  const row = query.one<DeliveryRow & { payload: string }>(sql, id);
  return row && parseQueued(row);
}

/** A page of a webhook's deliveries, newest first. */
export function readDeliveries(query: Query, webhookId: string, page: Page): Paged<Delivery> {
  const placeSql = "SELECT place FROM delivery WHERE id = ? AND webhook_id = ?";
  return query.snapshot(() => {
    const places: PlaceOf = (id) =>
      id === undefined ? undefined : query.one<{ place: number }>(placeSql, id, webhookId)?.place;
    const sql = `SELECT ${deliveryColumns} FROM delivery WHERE webhook_id = ?`;
    const items = readPlaced<DeliveryRow>(query, sql, webhookId, page, places).map(parseDelivery);
    return { totalCount: count(query, "SELECT count(*) AS n FROM delivery WHERE webhook_id = ?", webhookId), items };
  });
}

/** The pending delivery of a lane that has been due the longest. */
export function readDueDelivery(
  query: Query,
  webhookId: string,
  emitterId: string,
  now: number,
): QueuedDelivery | undefined {
  const sql = `SELECT ${deliveryColumns}, payload FROM delivery
    WHERE webhook_id = ? AND emitter_id = ? AND status = 'pending' AND next_at <= ? ORDER BY next_at, place LIMIT 1`;
  const row = query.one<DeliveryRow & { payload: string }>(sql, webhookId, emitterId, now);
  return row && parseQueued(row);
}

/** Lanes with pending deliveries. */
export function readLanes(
  query: Query,
  webhookId: string | undefined,
  emitterId: string | undefined,
): readonly DeliveryLane[] {
  const names = [webhookId, emitterId].filter((name) => name !== undefined);
  const where = ["status = 'pending'", "webhook_id = ?", "emitter_id = ?"].slice(0, 1 + names.length).join(" AND ");
  const sql = `SELECT webhook_id, emitter_id, min(next_at) AS at FROM delivery WHERE ${where} GROUP BY webhook_id, emitter_id`;
  return query
    .all<LaneRow>(sql, ...names)
    .map((row) => ({ webhookId: row.webhook_id, emitterId: row.emitter_id, at: row.at }));
}
