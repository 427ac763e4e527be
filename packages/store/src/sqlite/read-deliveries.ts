import type { DeliveryStatus } from "@x/model";
import type { Slots } from "../cluster-contract.ts";
import type { DeliveryLane } from "../contract.ts";
import type { DeliveryCounts } from "../queries.ts";
import type { SyncReads } from "../reads.ts";
import {
  deliveryColumns,
  deliveryCountColumns,
  type DeliveryRow,
  noDeliveries,
  parseDelivery,
  parseQueued,
  type QueuedRow,
} from "../rows/delivery-row.ts";
import { readListPage } from "./list-page.ts";
import type { Query } from "./query.ts";
import { payloadOf } from "./statements.ts";

interface LaneRow {
  readonly webhook_id: string;
  readonly emitter_id: string;
  readonly at: number;
}

const statusLiterals: { readonly [status in DeliveryStatus]: string } = {
  pending: "pending",
  delivered: "delivered",
  dead: "dead",
};

const queuedColumns = `${deliveryColumns}, ${payloadOf("delivery")}`;

function readLanes(query: Query, webhookId: string | undefined, slots: Slots | undefined): DeliveryLane[] {
  const ids = webhookId === undefined ? [] : [webhookId];
  const where = `status = 'pending'${webhookId === undefined ? "" : " AND webhook_id = ?"}`;
  const sql = `SELECT webhook_id, emitter_id, min(next_at) AS at FROM delivery WHERE ${where} GROUP BY webhook_id, emitter_id`;
  return query
    .all<LaneRow>(sql, ...ids)
    .filter((row) => slots?.has(row.emitter_id) !== false)
    .map((row) => ({ webhookId: row.webhook_id, emitterId: row.emitter_id, at: row.at }));
}

/** Reads deliveries. */
export const deliveryReads = (
  query: Query,
): Pick<
  SyncReads,
  "delivery" | "deliveries" | "deliveryCounts" | "nextDelivery" | "deliveryLanes" | "pendingDeliveries"
> => ({
  delivery(id) {
    const row = query.one<QueuedRow>(`SELECT ${queuedColumns} FROM delivery WHERE id = ?`, id);
    return row && parseQueued(row);
  },
  deliveries(webhookId, page) {
    const { status, attempted } = page;
    // As a literal, for the index of dead letters.
    const ofStatus = status === undefined ? "" : ` AND status = '${statusLiterals[status]}'`;
    const positionSql = "SELECT position FROM delivery WHERE id = ? AND webhook_id = ?";
    const rows = {
      columns: deliveryColumns,
      from: `delivery WHERE webhook_id = ?${ofStatus}${attempted ? " AND attempts <> '[]'" : ""}`,
      values: [webhookId],
      sizeOf: ({ attempts }: DeliveryRow) => attempts.length,
      positionOf: (id: string) => query.one<{ position: number }>(positionSql, id, webhookId)?.position,
    };
    return readListPage(query, rows, page, parseDelivery);
  },
  deliveryCounts: (webhookId, { now, since }) =>
    query.one<DeliveryCounts>(
      `SELECT ${deliveryCountColumns("?2", "?3")} FROM delivery WHERE webhook_id = ?1`,
      webhookId,
      now,
      since,
    ) ?? noDeliveries,
  nextDelivery(webhookId, emitterId) {
    const ofLane = "FROM delivery WHERE webhook_id = ?1 AND emitter_id = ?2 AND status = 'pending'";
    const sql = `SELECT ${queuedColumns}, (SELECT count(*) FROM (SELECT 1 ${ofLane} LIMIT 2)) AS pending
      ${ofLane} ORDER BY next_at, position LIMIT 1`;
    const row = query.one<QueuedRow & { readonly pending: number }>(sql, webhookId, emitterId);
    return row && { delivery: parseQueued(row), isLast: row.pending === 1 };
  },
  deliveryLanes: (webhookId, slots) => readLanes(query, webhookId, slots),
  pendingDeliveries() {
    // The index of pending deliveries has their positions, which ascend with the time of their creation.
    const pending = "SELECT count(*) AS count, min(position) AS oldest FROM delivery WHERE status = 'pending'";
    const { count = 0, oldest = null } = query.one<{ count: number; oldest: number | null }>(pending) ?? {};
    const row =
      oldest === null
        ? undefined
        : query.one<{ created_at: number }>("SELECT created_at FROM delivery WHERE position = ?", oldest);
    return { count, oldestAt: row?.created_at };
  },
});
