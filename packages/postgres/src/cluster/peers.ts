import type { NodeView } from "@x/runtime/store";

import type { Control } from "../control.ts";
import type { Query } from "../query.ts";
import { slotSql } from "../slot-condition.ts";
import type { Timing } from "./timing.ts";

/** A node that is not dead, as another one finds it. */
export interface Peer {
  readonly id: string;
  readonly joined: boolean;
  readonly leaving: boolean;
  /** Since its last beat. */
  readonly ageMs: number;
  /** Nobody holds its lock: its connection is gone. */
  readonly isFree: boolean;
  /** Since the server started. */
  readonly uptimeMs: number;
}

/** Milliseconds since a time. */
const since = (time: string): string => `(extract(epoch FROM clock_timestamp() - ${time}) * 1000)::float8`;

/** The age of the beat `b` in ms. */
export const ageSql: string = since("b.at");
/** True when nobody holds the lock of the node `n`. */
export const freeSql = "pg_try_advisory_xact_lock_shared(n.lock_key)";

// A lost beat is no loss, so it waits for no disk.
const beatSql = `WITH mine AS (
    INSERT INTO @beat AS b (node, at, queue_depth)
      SELECT $1, clock_timestamp(), $2 FROM set_config('synchronous_commit', 'off', true)
      ON CONFLICT (node) DO UPDATE SET at = excluded.at, queue_depth = excluded.queue_depth)
  SELECT n.id, n.joined, n.leaving, coalesce(${ageSql}, 0) AS "ageMs", n.id <> $1 AND ${freeSql} AS "isFree",
      ${since("pg_postmaster_start_time()")} AS "uptimeMs"
    FROM @node n LEFT JOIN @beat b ON b.node = n.id WHERE NOT n.dead`;

/** Shows that a node lives, and returns all that do. */
export const beat = (control: Control, nodeId: string, queueDepth: number): Promise<readonly Peer[]> =>
  control.rows<Peer>(beatSql, nodeId, queueDepth);

/** True for a node that another one may declare dead; `settledMs`: for how long the other has had its connection. */
export function isSuspect(peer: Peer, settledMs: number, timing: Timing): boolean {
  // After a restart of the server or of the way to it, every node needs a moment to return.
  if (Math.min(peer.uptimeMs, settledMs) < timing.restartMs) return false;
  return peer.ageMs > timing.leaseMs || (peer.isFree && peer.ageMs > timing.graceMs);
}

const nodesSql = `SELECT n.id, n.since, b.queue_depth AS "queueDepth", ${ageSql} AS "lagMs",
    (SELECT count(*) FROM @slot s WHERE s.owner = n.id) AS slots, coalesce(c.sources, 0) AS sources
  FROM @node n JOIN @beat b ON b.node = n.id LEFT JOIN (
    SELECT s.owner, count(*) AS sources FROM @source x JOIN @slot s ON s.slot = ${slotSql("x.id")} GROUP BY s.owner
  ) c ON c.owner = n.id
  WHERE NOT n.dead AND (n.joined OR n.id = $1) ORDER BY n.since, n.id`;

/** All nodes that live, the oldest first. */
export async function readNodes(query: Query, nodeId: string): Promise<readonly NodeView[]> {
  const rows = await query.all<Omit<NodeView, "isSelf">>(nodesSql, nodeId);
  return rows.map((row) => ({ ...row, lagMs: Math.max(0, Math.round(row.lagMs)), isSelf: row.id === nodeId }));
}
