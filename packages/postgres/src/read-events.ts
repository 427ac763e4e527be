import {
  countWithin,
  type EventId,
  type EventQuery,
  type EventRow,
  inlineBytes,
  newestEvent,
  oldestEvent,
  type Paged,
  parseEvent,
  type Spans,
  type StoredEvent,
  type StreamKind,
  streamNumbers,
} from "@x/runtime/store";

import type { Parameter, Query } from "./query.ts";

const headColumns = `e.ms, e.seq, e.name, e.emit_id, e.dedupe_id, e.summary, e.ts, e.bytes,
  CASE WHEN NOT e.shared AND e.bytes <= ${inlineBytes} THEN e.payload END AS payload`;

/** Counts the stored events of spans of time; reads only the index. */
export async function countEvents(
  query: Query,
  emitterId: string,
  stream: StreamKind,
  { from, ms, count }: Spans,
): Promise<number[]> {
  const rows = await query.all<{ span: number; n: number }>(
    `SELECT floor((ms - $3::float8) / $4::float8) AS span, count(*) AS n FROM @event
      WHERE emitter_id = $1 AND stream = $2 AND ms >= $3::float8 AND ms < $5::float8 GROUP BY span`,
    emitterId,
    streamNumbers[stream],
    from,
    ms,
    from + ms * count,
  );
  const counts = Array.from({ length: count }, () => 0);
  for (const { span, n } of rows) counts[span] = n;
  return counts;
}

const keyOf = ({ ms, seq }: EventId): string => `${ms}-${seq}`;

/** Reads the longer payloads of a page, by the ids of their events. */
async function readPayloads(
  query: Query,
  emitterId: string,
  stream: StreamKind,
  heads: readonly EventRow[],
): Promise<ReadonlyMap<string, string>> {
  if (heads.length === 0) return new Map();
  const rows = await query.all<EventId & { readonly payload: string }>(
    `SELECT e.ms, e.seq, coalesce(p.payload, e.payload) AS payload
      FROM unnest($3::text[]::int8[], $4::text[]::int8[]) AS w (ms, seq)
      JOIN @event e ON e.emitter_id = $1 AND e.stream = $2 AND e.ms = w.ms AND e.seq = w.seq
      LEFT JOIN @shared_payload p ON e.shared AND p.emit_id = e.emit_id`,
    emitterId,
    streamNumbers[stream],
    heads.map(({ ms }) => String(ms)),
    heads.map(({ seq }) => String(seq)),
  );
  return new Map(rows.map((row) => [keyOf(row), row.payload]));
}

/** Reads the total and the rows of a page, of one state of the tables. */
async function readHeads(
  query: Query,
  emitterId: string,
  stream: StreamKind,
  { limit, after, before, name, retention }: EventQuery,
): Promise<{ readonly total: number; readonly heads: readonly EventRow[] }> {
  const [from, to] = [after ?? newestEvent, before ?? oldestEvent];
  // With `before` alone the page ends at the cursor, so it is read from there, oldest first.
  const order = before && !after ? "ASC" : "DESC";
  const named = name === undefined ? "" : "AND e.name = $9";
  const values: Parameter[] = [emitterId, streamNumbers[stream], retention, from.ms, from.seq, to.ms, to.seq, limit];
  const rows = await query.all<Omit<EventRow, "ms"> & { readonly total: number; readonly ms: number | null }>(
    `WITH hidden AS MATERIALIZED (
      SELECT coalesce(max(ms), -1) AS ms, coalesce(max(seq), 0) AS seq FROM (
        SELECT ms, seq FROM @event WHERE emitter_id = $1 AND stream = $2
          ORDER BY ms DESC, seq DESC OFFSET $3 LIMIT 1) beyond)
    SELECT (SELECT count(*) FROM @event e WHERE emitter_id = $1 AND stream = $2
        AND (e.ms, e.seq) > (hidden.ms, hidden.seq) ${named}) AS total, page.*
      FROM hidden LEFT JOIN LATERAL (
        SELECT ${headColumns} FROM @event e WHERE emitter_id = $1 AND stream = $2
          AND (e.ms, e.seq) < ($4, $5) AND (e.ms, e.seq) > ($6, $7) AND (e.ms, e.seq) > (hidden.ms, hidden.seq) ${named}
          ORDER BY e.ms ${order}, e.seq ${order} LIMIT $8) page ON true
      ORDER BY page.ms ${order}, page.seq ${order}`,
    ...values,
    ...(name === undefined ? [] : [name]),
  );
  const heads = rows.filter((row): row is EventRow & { readonly total: number } => row.ms !== null);
  return { total: rows[0]?.total ?? 0, heads };
}

/** Reads a page of the newest `retention` events of a stream, newest first. */
export async function readEvents(
  query: Query,
  emitterId: string,
  stream: StreamKind,
  wanted: EventQuery,
): Promise<Paged<StoredEvent>> {
  const { after, before, bytes, wholeBytes = Number.POSITIVE_INFINITY, admit } = wanted;
  const { total, heads: found } = await readHeads(query, emitterId, stream, wanted);
  /** Bytes that an event adds to the page. */
  const sizeOf = (head: EventRow): number => (head.bytes > wholeBytes ? 0 : head.bytes);
  const heads = bytes === undefined ? found : found.slice(0, countWithin(found, sizeOf, bytes));
  admit?.(heads.reduce((sum, head) => sum + sizeOf(head), 0));
  const long = heads.filter((head) => head.payload === null && head.bytes <= wholeBytes);
  const payloads = await readPayloads(query, emitterId, stream, long);
  const items = heads.flatMap((head): StoredEvent[] => {
    if (head.bytes > wholeBytes) return [{ ...parseEvent(emitterId, stream, head, ""), payloadBytes: head.bytes }];
    const payload = head.payload ?? payloads.get(keyOf(head));
    // Trimmed since the rows were read.
    return payload === undefined ? [] : [parseEvent(emitterId, stream, head, payload)];
  });
  return { totalCount: total, items: before && !after ? items.toReversed() : items };
}
