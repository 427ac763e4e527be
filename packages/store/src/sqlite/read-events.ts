import type { EventId, Paged, StoredEvent, StreamKind } from "@x/model";
import { countWithin } from "../byte-cut.ts";
import type { EventQuery } from "../queries.ts";
import type { Spans } from "../contract.ts";
import { readLossless } from "../lossless-text.ts";
import type { Query } from "./query.ts";
import { streamNumbers } from "../numbers.ts";
import { type EventRow, inlineBytes, newestEvent, oldestEvent, parseEvent } from "../rows/event-row.ts";
import { payloadOf } from "./statements.ts";

const ofStream = "FROM event WHERE emitter_id = ? AND stream = ?";

/** SQLite knows the length of a text without reading it. */
const headColumns = `ms, seq, name, emit_id, dedupe_id, summary, ts,
  CASE shared WHEN 0 THEN octet_length(payload)
    ELSE (SELECT octet_length(payload) FROM shared_payload WHERE shared_payload.emit_id = event.emit_id) END AS bytes,
  CASE WHEN shared = 0 AND octet_length(payload) <= ${inlineBytes} THEN payload END AS payload`;

/** Counts the stored events of spans of time; reads only the index. */
export function countEvents(query: Query, emitterId: string, stream: StreamKind, { from, ms, count }: Spans): number[] {
  const rows = query.all<{ span: number; n: number }>(
    `SELECT CAST((ms - ?) / ? AS INTEGER) AS span, count(*) AS n ${ofStream} AND ms >= ? AND ms < ? GROUP BY span`,
    from,
    ms,
    emitterId,
    streamNumbers[stream],
    from,
    from + ms * count,
  );
  const counts = Array.from({ length: count }, () => 0);
  for (const { span, n } of rows) counts[span] = n;
  return counts;
}

/** Reads a page of the newest `retention` events of a stream, newest first. */
export function readEvents(
  query: Query,
  emitterId: string,
  stream: StreamKind,
  { limit, after, before, name, retention, bytes, wholeBytes = Number.POSITIVE_INFINITY, admit }: EventQuery,
): Paged<StoredEvent> {
  const number = streamNumbers[stream];
  const named = name === undefined ? "" : "AND name = ?";
  const names = name === undefined ? [] : [name];
  // With `before` alone the page ends at the cursor, so it is read from there, oldest first.
  const order = before && !after ? "ASC" : "DESC";
  /** Bytes that an event adds to the page. */
  const sizeOf = (head: EventRow): number => (head.bytes > wholeBytes ? 0 : head.bytes);
  const readPayload = ({ ms, seq }: EventRow): string =>
    query.one<{ payload: string }>(
      `SELECT ${payloadOf("event")} ${ofStream} AND ms = ? AND seq = ?`,
      emitterId,
      number,
      ms,
      seq,
    )?.payload ?? "";

  return query.snapshot(() => {
    // The newest event beyond the retention.
    const hidden =
      query.one<EventId>(
        `SELECT ms, seq ${ofStream} ORDER BY ms DESC, seq DESC LIMIT 1 OFFSET ?`,
        emitterId,
        number,
        retention,
      ) ?? oldestEvent;
    const count = query.one<{ n: number }>(
      `SELECT count(*) AS n ${ofStream} AND (ms, seq) > (?, ?) ${named}`,
      emitterId,
      number,
      hidden.ms,
      hidden.seq,
      ...names,
    );
    const from = after ?? newestEvent;
    const to = before ?? oldestEvent;
    const rows = query.all<EventRow>(
      `SELECT ${headColumns} ${ofStream}
        AND (ms, seq) < (?, ?) AND (ms, seq) > (?, ?) AND (ms, seq) > (?, ?) ${named}
        ORDER BY ms ${order}, seq ${order} LIMIT ?`,
      emitterId,
      number,
      from.ms,
      from.seq,
      to.ms,
      to.seq,
      hidden.ms,
      hidden.seq,
      ...names,
      limit,
    );
    const found = rows.map((row) =>
      row.dedupe_id === null ? row : { ...row, dedupe_id: readLossless(row.dedupe_id) },
    );
    const heads = bytes === undefined ? found : found.slice(0, countWithin(found, sizeOf, bytes));
    admit?.(heads.reduce((sum, head) => sum + sizeOf(head), 0));
    const items = heads.map((head) =>
      head.bytes > wholeBytes
        ? { ...parseEvent(emitterId, stream, head, ""), payloadBytes: head.bytes }
        : parseEvent(emitterId, stream, head, head.payload ?? readPayload(head)),
    );
    return { totalCount: count?.n ?? 0, items: order === "ASC" ? items.toReversed() : items };
  });
}
