import type { SourceType, Trigger, TriggerHead, TriggerOrigin } from "@x/model";

export interface TriggerRow {
  readonly id: string;
  readonly source_id: string;
  readonly type: SourceType;
  readonly http_prop: string | null;
  readonly at: number;
  readonly crashes: number;
  readonly hops: number;
  readonly of_error: number | boolean;
  /** JSON text. */
  readonly origin: string | null;
}

export interface TriggerHeadRow extends TriggerRow {
  readonly user_id: string | null;
  readonly bytes: number;
  /** Size of an event that is stored once for several rows. */
  readonly shared_bytes: number | null;
  readonly uses: number | null;
}

/** A row with its event. */
export interface WholeTriggerRow extends TriggerRow {
  readonly event: string;
  readonly body: Uint8Array | null;
  readonly received: string | null;
}

export const triggerColumns = "id, source_id, type, http_prop, at, crashes, hops, of_error, origin";

const parseColumns = (row: TriggerRow): Omit<Trigger, "event" | "body" | "received"> => ({
  id: row.id,
  sourceId: row.source_id,
  type: row.type,
  ...(row.http_prop !== null && { httpProp: row.http_prop }),
  at: row.at,
  crashes: row.crashes,
  hops: row.hops,
  ...(Boolean(row.of_error) && { ofError: true }),
  ...(row.origin !== null && { origin: JSON.parse(row.origin) as TriggerOrigin }),
});

export const parseTriggerHead = (row: TriggerHeadRow): TriggerHead => ({
  ...parseColumns(row),
  userId: row.user_id ?? "",
  ...(row.shared_bytes === null
    ? { bytes: row.bytes }
    : { bytes: Math.ceil(row.shared_bytes / (row.uses ?? 1)), wholeBytes: row.shared_bytes }),
});

export const parseTrigger = (row: WholeTriggerRow): Trigger => ({
  ...parseColumns(row),
  event: row.event,
  ...(row.body !== null && { body: row.body }),
  ...(row.received !== null && { received: row.received }),
});
