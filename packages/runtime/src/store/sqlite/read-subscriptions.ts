import type { AutoSubscription, Subscription } from "../../model/listener-model.ts";
import type { Query } from "./query.ts";

interface SubscriptionRow {
  readonly id: string;
  readonly user_id: string;
  readonly emitter_id: string;
  readonly listener_id: string;
  readonly event_name: string;
  readonly created_at: number;
}

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
