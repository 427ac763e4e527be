import type { DedupeStrategy, SourceType, StoredEvent, StreamKind, Trigger, TriggerHead } from "../../model/model.ts";
import type { StoredTimer, StoredTransition, Usage } from "../contract.ts";
import { readLossless } from "./lossless-text.ts";

/** Rows as the read statements give them; the tables are STRICT, so the types hold. */
export interface RecordRow {
  readonly record: string;
}

export interface EventRow {
  readonly ms: number;
  readonly seq: number;
  readonly name: string;
  readonly emit_id: string;
  readonly dedupe_id: string | null;
  readonly summary: string | null;
  readonly ts: number | null;
  readonly payload: string;
}

export interface TriggerRow {
  readonly id: string;
  readonly source_id: string;
  readonly type: SourceType;
  readonly http_prop: string | null;
  readonly at: number;
  readonly crashes: number;
  readonly hops: number;
  readonly of_error: number;
}

export interface TriggerHeadRow extends TriggerRow {
  readonly user_id: string | null;
  readonly bytes: number;
  /** Of an event that is stored once for several. */
  readonly shared_bytes: number | null;
  readonly uses: number | null;
}

export interface StoredTriggerRow extends TriggerRow {
  readonly event: string;
  readonly body: Uint8Array | null;
}

export interface DedupeRow {
  readonly channel: string;
  readonly strategy: DedupeStrategy;
  readonly ids: string;
}

export interface HeadRow {
  readonly stream: number;
  readonly ms: number;
  readonly seq: number;
}

export interface TimerRow {
  readonly source_id: string;
  readonly at: number;
  readonly last_at: number;
}

export interface TransitionRow extends RecordRow {
  readonly crashes: number;
  readonly running: number;
}

export interface UsageRow {
  readonly invocations: number;
  readonly compute_ms: number;
}

/** The record a row holds as JSON text. */
export const parseRecord = <T>(row: RecordRow): T => JSON.parse(row.record) as T;

export const parseEvent = (emitterId: string, stream: StreamKind, row: EventRow): StoredEvent => ({
  emitterId,
  stream,
  id: { ms: row.ms, seq: row.seq },
  emitId: row.emit_id,
  name: row.name,
  payload: row.payload,
  ...(row.dedupe_id !== null && { dedupeId: readLossless(row.dedupe_id) }),
  ...(row.summary !== null && { summary: row.summary }),
  ...(row.ts !== null && { ts: row.ts }),
});

const parseColumns = (row: TriggerRow): Omit<Trigger, "event" | "body"> => ({
  id: row.id,
  sourceId: row.source_id,
  type: row.type,
  ...(row.http_prop !== null && { httpProp: row.http_prop }),
  at: row.at,
  crashes: row.crashes,
  hops: row.hops,
  ...(row.of_error !== 0 && { ofError: true }),
});

export const parseTriggerHead = (row: TriggerHeadRow): TriggerHead => ({
  ...parseColumns(row),
  userId: row.user_id ?? "",
  ...(row.shared_bytes === null
    ? { bytes: row.bytes }
    : { bytes: Math.ceil(row.shared_bytes / (row.uses ?? 1)), wholeBytes: row.shared_bytes }),
});

export const parseTrigger = (row: StoredTriggerRow): Trigger => ({
  ...parseColumns(row),
  event: row.event,
  ...(row.body !== null && { body: row.body }),
});

export const parseTimer = (row: TimerRow): StoredTimer => ({
  sourceId: row.source_id,
  at: row.at,
  lastAt: row.last_at,
});

export const parseTransition = (row: TransitionRow): StoredTransition => ({
  ...parseRecord<Omit<StoredTransition, "crashes" | "running">>(row),
  crashes: row.crashes,
  running: row.running !== 0,
});

export const parseUsage = (row: UsageRow): Usage => ({ invocations: row.invocations, computeMs: row.compute_ms });
