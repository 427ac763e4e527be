import type { EventId, StoredEvent, StreamKind } from "@x/model";

/** Bounds of a page without cursors. */
export const newestEvent: EventId = { ms: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER };
export const oldestEvent: EventId = { ms: -1, seq: 0 };

/** Payloads up to this size in bytes are read with their rows, longer ones only when the page includes them. */
export const inlineBytes = 4_096;

export interface EventRow {
  readonly ms: number;
  readonly seq: number;
  readonly name: string;
  readonly emit_id: string;
  readonly dedupe_id: string | null;
  readonly summary: string | null;
  readonly ts: number | null;
  /** Size of the payload. */
  readonly bytes: number;
  /** Null for a payload that is read later. */
  readonly payload: string | null;
}

export const parseEvent = (emitterId: string, stream: StreamKind, row: EventRow, payload: string): StoredEvent => ({
  emitterId,
  stream,
  id: { ms: row.ms, seq: row.seq },
  emitId: row.emit_id,
  name: row.name,
  payload,
  ...(row.dedupe_id !== null && { dedupeId: row.dedupe_id }),
  ...(row.summary !== null && { summary: row.summary }),
  ...(row.ts !== null && { ts: row.ts }),
});
