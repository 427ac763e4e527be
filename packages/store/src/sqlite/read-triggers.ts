import type { SyncReads } from "../reads.ts";
import {
  parseTrigger,
  parseTriggerHead,
  triggerColumns,
  type TriggerHeadRow,
  type WholeTriggerRow,
} from "../rows/trigger-row.ts";
import type { Query } from "./query.ts";

const headColumns = `${triggerColumns}, bytes,
  (SELECT octet_length(payload) FROM shared_payload WHERE shared_payload.emit_id = inbox.emit_id) AS shared_bytes,
  (SELECT uses FROM shared_payload WHERE shared_payload.emit_id = inbox.emit_id) AS uses,
  (SELECT user_id FROM source WHERE source.id = source_id) AS user_id`;

/** Reads the inbox. */
export const triggerReads = (query: Query): Pick<SyncReads, "trigger" | "triggers"> => ({
  triggers(sourceId, slots) {
    const where = sourceId === undefined ? "" : "WHERE source_id = ?";
    const sql = `SELECT ${headColumns} FROM inbox ${where} ORDER BY at, position`;
    const rows = query.all<TriggerHeadRow>(sql, ...(sourceId === undefined ? [] : [sourceId]));
    return rows.filter((row) => slots?.has(row.source_id) !== false).map(parseTriggerHead);
  },
  trigger(id) {
    const row = query.one<WholeTriggerRow>(
      `SELECT ${triggerColumns}, body, received, CASE WHEN emit_id IS NULL THEN event
        ELSE (SELECT payload FROM shared_payload WHERE shared_payload.emit_id = inbox.emit_id) END AS event
        FROM inbox WHERE id = ?`,
      id,
    );
    return row && parseTrigger(row);
  },
});
