import {
  deliveryColumns,
  deliveryCountColumns,
  type DeliveryCounts,
  type DeliveryRow,
  noDeliveries,
  parseDelivery,
  parseQueued,
  type QueuedRow,
} from "@x/runtime/store";

import { readListPage } from "./list-page.ts";
import type { Query } from "./query.ts";
import type { Reads } from "./reads.ts";
import { inSlots } from "./slot-condition.ts";

const queuedColumns = `${deliveryColumns}, CASE WHEN d.shared
  THEN (SELECT p.payload FROM @shared_payload p WHERE p.emit_id = d.emit_id) ELSE d.payload END AS payload`;

/** Reads deliveries. */
export const deliveryReads = (
  query: Query,
): Pick<
  Reads,
  "delivery" | "deliveries" | "deliveryCounts" | "nextDelivery" | "deliveryLanes" | "pendingDeliveries"
> => ({
  async delivery(id) {
    const row = await query.one<QueuedRow>(`SELECT ${queuedColumns} FROM @delivery d WHERE id = $1`, id);
    return row && parseQueued(row);
  },
  deliveries(webhookId, page) {
    const { status, attempted } = page;
    const positionSql = "SELECT position FROM @delivery WHERE id = $1 AND webhook_id = $2";
    const rows = {
      columns: deliveryColumns,
      from: `@delivery WHERE webhook_id = $1${status === undefined ? "" : " AND status = $2"}${attempted ? " AND attempts <> '[]'" : ""}`,
      values: status === undefined ? [webhookId] : [webhookId, status],
      sizeOf: ({ attempts }: DeliveryRow) => attempts.length,
      positionOf: async (id: string) => (await query.one<{ position: number }>(positionSql, id, webhookId))?.position,
    };
    return readListPage(query, rows, page, parseDelivery);
  },
  async deliveryCounts(webhookId, { now, since }) {
    const sql = `SELECT ${deliveryCountColumns("$2", "$3")} FROM @delivery WHERE webhook_id = $1`;
    return (await query.one<DeliveryCounts>(sql, webhookId, now, since)) ?? noDeliveries;
  },
  async nextDelivery(webhookId, emitterId) {
    const ofLane = "FROM @delivery d WHERE webhook_id = $1 AND emitter_id = $2 AND status = 'pending'";
    const sql = `SELECT ${queuedColumns}, (SELECT count(*) FROM (SELECT 1 ${ofLane} LIMIT 2) AS two) AS pending
      ${ofLane} ORDER BY next_at, position LIMIT 1`;
    const row = await query.one<QueuedRow & { readonly pending: number }>(sql, webhookId, emitterId);
    return row && { delivery: parseQueued(row), isLast: row.pending === 1 };
  },
  deliveryLanes(webhookId, slots) {
    const ids = webhookId === undefined ? [] : [webhookId];
    const where = ["status = 'pending'", "webhook_id = $1"].slice(0, 1 + ids.length);
    if (slots) where.push(inSlots("emitter_id", 1 + ids.length));
    const sql = `SELECT webhook_id AS "webhookId", emitter_id AS "emitterId", min(next_at) AS at
      FROM @delivery WHERE ${where.join(" AND ")} GROUP BY webhook_id, emitter_id`;
    return query.all(sql, ...ids, ...(slots ? [slots.list] : []));
  },
  async pendingDeliveries() {
    // The first pending one by position, which ascends with the time of creation.
    const sql = `SELECT count(*) AS count, (
        SELECT created_at FROM @delivery WHERE status = 'pending' ORDER BY position LIMIT 1) AS oldest
      FROM @delivery WHERE status = 'pending'`;
    const row = await query.one<{ count: number; oldest: number | null }>(sql);
    return { count: row?.count ?? 0, oldestAt: row?.oldest ?? undefined };
  },
});
