import type { SourceType, Trigger, TriggerHead } from "../../model/model.ts";
import type { TriggerOrigin } from "../../model/trigger-origin.ts";
import type { SyncReads } from "../reads.ts";
import type { Query } from "./query.ts";

interface TriggerRow {
  readonly id: string;
  readonly source_id: string;
  readonly type: SourceType;
  readonly http_prop: string | null;
  readonly at: number;
  readonly crashes: number;
  readonly hops: number;
  readonly of_error: number;
  /** JSON text. */
  readonly origin: string | null;
}

interface HeadRow extends TriggerRow {
  readonly user_id: string | null;
  readonly bytes: number;
  /** Size of an event that is stored once for several rows. */
  readonly shared_bytes: number | null;
  readonly uses: number | null;
}

interface WholeRow extends TriggerRow {
  readonly event: string;
  readonly body: Uint8Array | null;
  readonly received: string | null;
}

const columns = "id, source_id, type, http_prop, at, crashes, hops, of_error, origin";
const headColumns = `${columns}, bytes,
  (SELECT octet_length(payload) FROM shared_payload WHERE shared_payload.emit_id = inbox.emit_id) AS shared_bytes,
  (SELECT uses FROM shared_payload WHERE shared_payload.emit_id = inbox.emit_id) AS uses,
  (SELECT user_id FROM source WHERE source.id = source_id) AS user_id`;

const parseColumns = (row: TriggerRow): Omit<Trigger, "event" | "body" | "received"> => ({
  id: row.id,
  sourceId: row.source_id,
  type: row.type,
  ...(row.http_prop !== null && { httpProp: row.http_prop }),
  at: row.at,
  crashes: row.crashes,
  hops: row.hops,
  ...(row.of_error !== 0 && { ofError: true }),
  ...(row.origin !== null && { origin: JSON.parse(row.origin) as TriggerOrigin }),
});

const parseHead = (row: HeadRow): TriggerHead => ({
  ...parseColumns(row),
  userId: row.user_id ?? "",
  ...(row.shared_bytes === null
    ? { bytes: row.bytes }
    : { bytes: Math.ceil(row.shared_bytes / (row.uses ?? 1)), wholeBytes: row.shared_bytes }),
});

/** Reads the inbox. */
export const triggerReads = (query: Query): Pick<SyncReads, "trigger" | "triggers"> => ({
  triggers(sourceId, slots) {
    const where = sourceId === undefined ? "" : "WHERE source_id = ?";
    const sql = `SELECT ${headColumns} FROM inbox ${where} ORDER BY at, position`;
    const rows = query.all<HeadRow>(sql, ...(sourceId === undefined ? [] : [sourceId]));
    return rows.filter((row) => slots?.has(row.source_id) !== false).map(parseHead);
  },
  trigger(id) {
    const row = query.one<WholeRow>(
      `SELECT ${columns}, body, received, CASE WHEN emit_id IS NULL THEN event
        ELSE (SELECT payload FROM shared_payload WHERE shared_payload.emit_id = inbox.emit_id) END AS event
        FROM inbox WHERE id = ?`,
      id,
    );
    if (!row) return undefined;
    const { event, body, received } = row;
    return { ...parseColumns(row), event, ...(body !== null && { body }), ...(received !== null && { received }) };
  },
});
