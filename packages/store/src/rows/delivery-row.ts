import type { Delivery, DeliveryAttempt, DeliveryStatus, QueuedDelivery } from "@x/model";
import type { DeliveryCounts } from "../queries.ts";

export interface DeliveryRow {
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
  /** JSON text. */
  readonly attempts: string;
  readonly trace: string | null;
}

/** A row with its payload. */
export type QueuedRow = DeliveryRow & { readonly payload: string };

export const deliveryColumns =
  "id, webhook_id, emitter_id, event_ms, event_seq, emit_id, event_name, ts, status, next_at, created_at, attempts, trace";

export const parseDelivery = (row: DeliveryRow): Delivery => ({
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
  ...(row.trace !== null && { trace: row.trace }),
});

export const parseQueued = (row: QueuedRow): QueuedDelivery => ({ ...parseDelivery(row), payload: row.payload });

/** The columns of a `DeliveryCounts`, with the parameters for now and for the beginning of the recent ones. */
export const deliveryCountColumns = (now: string, since: string): string => {
  const pending = "FILTER (WHERE status = 'pending')";
  const delivered = "FILTER (WHERE status = 'delivered')";
  return `count(*) ${pending} AS "pending", min(created_at) ${pending} AS "oldestPendingAt",
    count(*) FILTER (WHERE status = 'pending' AND next_at <= ${now}) AS "due",
    count(*) FILTER (WHERE status = 'dead') AS "dead",
    count(*) ${delivered} AS "delivered", min(created_at) ${delivered} AS "oldestDeliveredAt",
    count(*) FILTER (WHERE status = 'delivered' AND created_at >= ${since}) AS "recentlyDelivered",
    count(*) FILTER (WHERE status <> 'delivered' AND attempts <> '[]' AND created_at >= ${since}) AS "recentlyFailed"`;
};

export const noDeliveries: DeliveryCounts = {
  pending: 0,
  oldestPendingAt: null,
  due: 0,
  dead: 0,
  delivered: 0,
  oldestDeliveredAt: null,
  recentlyDelivered: 0,
  recentlyFailed: 0,
};
