import type { Delivery, DeliveryAttempt, DeliveryStatus, QueuedDelivery } from "../../model/listener-model.ts";
import type { Page, Paged } from "../../model/model.ts";
import type { DeliveryLane } from "../contract.ts";
import { readPlacedPage } from "./placed-page.ts";
import type { Query } from "./query.ts";
import { payloadOf } from "./statements.ts";

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

export function readDelivery(query: Query, id: string): QueuedDelivery | undefined {
  const sql = `SELECT ${deliveryColumns}, ${payloadOf("delivery")} FROM delivery WHERE id = ?`;
  const row = query.one<DeliveryRow & { payload: string }>(sql, id);
  return row && parseQueued(row);
}

/** A page of a webhook's deliveries, newest first. */
export function readDeliveries(query: Query, webhookId: string, page: Page): Paged<Delivery> {
  const placeSql = "SELECT place FROM delivery WHERE id = ? AND webhook_id = ?";
  const rows = {
    columns: deliveryColumns,
    from: "delivery WHERE webhook_id = ?",
    values: [webhookId],
    sizeOf: ({ attempts }: DeliveryRow) => attempts.length,
    placeOf: (id: string) => query.one<{ place: number }>(placeSql, id, webhookId)?.place,
  };
  return readPlacedPage(query, rows, page, parseDelivery);
}

/** The pending delivery of a lane that has been due the longest. */
export function readDueDelivery(
  query: Query,
  webhookId: string,
  emitterId: string,
  now: number,
): QueuedDelivery | undefined {
  const sql = `SELECT ${deliveryColumns}, ${payloadOf("delivery")} FROM delivery
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
