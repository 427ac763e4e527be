import {
  parseTrigger,
  parseTriggerHead,
  triggerColumns,
  type TriggerHead,
  type TriggerHeadRow,
  type WholeTriggerRow,
} from "@x/runtime/store";

import type { Parameter, Query } from "./query.ts";
import { pgText } from "./pg-text.ts";
import { createReadsById } from "./reads-by-id.ts";
import type { Reads } from "./reads.ts";
import { inSlots } from "./slot-condition.ts";

type HeadRow = TriggerHeadRow & { readonly unseen: boolean };

const columns = triggerColumns.replaceAll(/\w+/g, "i.$&");

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
  return rows.map((row) => ({ head: parseTriggerHead(row), unseen: row.unseen }));
}

/** Reads the inbox. */
export function triggerReads(query: Query): Pick<Reads, "trigger" | "triggers"> {
  const byId = createReadsById((ids) =>
    query.all<WholeTriggerRow>(
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
      return row && parseTrigger(row);
    },
  };
}
