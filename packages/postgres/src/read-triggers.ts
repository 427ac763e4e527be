import type { SourceType, Trigger, TriggerHead, TriggerOrigin } from "@x/runtime/store";

import type { Parameter, Query } from "./query.ts";
import { pgText } from "./pg-text.ts";
import { createReadsById } from "./reads-by-id.ts";
import type { Reads } from "./reads.ts";
import { inSlots } from "./slot-condition.ts";

interface TriggerRow {
  readonly id: string;
  readonly source_id: string;
  readonly type: SourceType;
  readonly http_prop: string | null;
  readonly at: number;
  readonly crashes: number;
  readonly hops: number;
  readonly of_error: boolean;
  /** JSON text. */
  readonly origin: string | null;
}

interface HeadRow extends TriggerRow {
  readonly user_id: string | null;
  readonly bytes: number;
  /** Size of an event that is stored once for several rows. */
  readonly shared_bytes: number | null;
  readonly uses: number | null;
  readonly unseen: boolean;
}

interface WholeRow extends TriggerRow {
  readonly event: string;
  readonly body: Uint8Array | null;
  readonly received: string | null;
}

const columns = "i.id, i.source_id, i.type, i.http_prop, i.at, i.crashes, i.hops, i.of_error, i.origin";

const parseColumns = (row: TriggerRow): Omit<Trigger, "event" | "body" | "received"> => ({
  id: row.id,
  sourceId: row.source_id,
  type: row.type,
  ...(row.http_prop !== null && { httpProp: row.http_prop }),
  at: row.at,
  crashes: row.crashes,
  hops: row.hops,
  ...(row.of_error && { ofError: true }),
  ...(row.origin !== null && { origin: JSON.parse(row.origin) as TriggerOrigin }),
});

const parseHead = (row: HeadRow): TriggerHead => ({
  ...parseColumns(row),
  userId: row.user_id ?? "",
  ...(row.shared_bytes === null
    ? { bytes: row.bytes }
    : { bytes: Math.ceil(row.shared_bytes / (row.uses ?? 1)), wholeBytes: row.shared_bytes }),
});

/** A trigger as lists show it; `unseen`: another node stored it, and the owner of its source has not seen it. */
export interface ListedTrigger {
  readonly head: TriggerHead;
  readonly unseen: boolean;
}

/** Reads triggers of the inbox `i`, oldest first. */
export async function readHeads(
  query: Query,
  condition: string,
  ...values: readonly Parameter[]
): Promise<readonly ListedTrigger[]> {
  const rows = await query.all<HeadRow>(
    `SELECT ${columns}, i.bytes, i.unseen, p.bytes AS shared_bytes, p.uses, s.user_id FROM @inbox i
      LEFT JOIN @shared_payload p ON p.emit_id = i.emit_id LEFT JOIN @source s ON s.id = i.source_id
      ${condition}`,
    ...values,
  );
  return rows.map((row) => ({ head: parseHead(row), unseen: row.unseen }));
}

/** Reads the inbox. */
export function triggerReads(query: Query): Pick<Reads, "trigger" | "triggers"> {
  const byId = createReadsById((ids) =>
    query.all<WholeRow>(
      `SELECT ${columns}, i.body, i.received, coalesce(p.payload, i.event) AS event FROM @inbox i
        LEFT JOIN @shared_payload p ON p.emit_id = i.emit_id WHERE i.id = ANY ($1::text[])`,
      ids.map(pgText),
    ),
  );
  return {
    async triggers(sourceId, slots) {
      const values = [...(sourceId === undefined ? [] : [sourceId]), ...(slots ? [slots.list] : [])];
      const conditions = [
        ...(sourceId === undefined ? [] : ["i.source_id = $1"]),
        ...(slots ? [inSlots("i.source_id", values.length)] : []),
      ];
      const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
      const listed = await readHeads(query, `${where} ORDER BY i.at, i.position`, ...values);
      return listed.map(({ head }) => head);
    },
    async trigger(id) {
      const row = await byId(id);
      if (!row) return undefined;
      const { event, body, received } = row;
      return { ...parseColumns(row), event, ...(body !== null && { body }), ...(received !== null && { received }) };
    },
  };
}
