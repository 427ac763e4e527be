import type { EventId, Paged, StoredEvent, StreamKind } from "../../model/model.ts";
import { countWithin } from "../byte-cut.ts";
import type { EventQuery } from "../contract.ts";
import type { Query } from "./query.ts";
import { parseEvent, type EventRow } from "./rows.ts";
import { payloadOf, streamNumbers } from "./statements.ts";

const newest: EventId = { ms: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER };
const oldest: EventId = { ms: -1, seq: 0 };
const ofStream = "FROM event WHERE emitter_id = ? AND stream = ?";

/** Payloads up to this length come with their rows; longer ones are read when it is known that the page has them. */
const besideRowBytes = 4_096;

type Head = Omit<EventRow, "payload"> & { readonly bytes: number; readonly payload: string | null };

/** SQLite knows the length of a text without reading it. */
const headColumns = `ms, seq, name, emit_id, dedupe_id, summary, ts,
  CASE shared WHEN 0 THEN octet_length(payload)
    ELSE (SELECT octet_length(payload) FROM shared_payload WHERE shared_payload.emit_id = event.emit_id) END AS bytes,
  CASE WHEN shared = 0 AND octet_length(payload) <= ${besideRowBytes} THEN payload END AS payload`;

/** A page of the newest `retention` events of a stream, newest first. */
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
  /** What a payload adds to the page. */
  const shown = (head: Head): number => (head.bytes > wholeBytes ? 0 : head.bytes);
  const readPayload = ({ ms, seq }: Head): string =>
    query.one<{ payload: string }>(
      `SELECT ${payloadOf("event")} ${ofStream} AND ms = ? AND seq = ?`,
      emitterId,
      number,
      ms,
      seq,
    )?.payload ?? "";

  return query.snapshot(() => {
    // The newest event that is out of sight.
    const hidden =
      query.one<EventId>(
        `SELECT ms, seq ${ofStream} ORDER BY ms DESC, seq DESC LIMIT 1 OFFSET ?`,
        emitterId,
        number,
        retention,
      ) ?? oldest;
    const count = query.one<{ n: number }>(
      `SELECT count(*) AS n ${ofStream} AND (ms, seq) > (?, ?) ${named}`,
      emitterId,
      number,
      hidden.ms,
      hidden.seq,
      ...names,
    );
    const from = after ?? newest;
    const to = before ?? oldest;
    const found = query.all<Head>(
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
    const heads = bytes === undefined ? found : found.slice(0, countWithin(found, shown, bytes));
    admit?.(heads.reduce((sum, head) => sum + shown(head), 0));
    const items = heads.map((head) =>
      head.bytes > wholeBytes
        ? { ...parseEvent(emitterId, stream, { ...head, payload: "" }), payloadBytes: head.bytes }
        : parseEvent(emitterId, stream, { ...head, payload: head.payload ?? readPayload(head) }),
    );
    return { totalCount: count?.n ?? 0, items: order === "ASC" ? items.toReversed() : items };
  });
}
