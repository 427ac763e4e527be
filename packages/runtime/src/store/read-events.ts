import type { EventId, Paged, StoredEvent, StreamKind } from "../model.ts";
import type { EventQuery } from "./contract.ts";
import type { Query } from "./query.ts";
import { parseEvent, type EventRow } from "./rows.ts";
import { payloadOf, streamNumbers } from "./statements.ts";

const newest: EventId = { ms: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER };
const oldest: EventId = { ms: -1, seq: 0 };
const ofStream = "FROM event WHERE emitter_id = ? AND stream = ?";

/** A page of the newest `retention` events of a stream, newest first. */
export function readEvents(
  query: Query,
  emitterId: string,
  stream: StreamKind,
  { limit, after, before, name, retention }: EventQuery,
): Paged<StoredEvent> {
  const number = streamNumbers[stream];
  const named = name === undefined ? "" : "AND name = ?";
  const names = name === undefined ? [] : [name];
  // With `before` alone the page ends at the cursor, so it is read from there, oldest first.
  const order = before && !after ? "ASC" : "DESC";
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
    const found = query.all<EventRow>(
      `SELECT ms, seq, name, emit_id, dedupe_id, summary, ts, ${payloadOf("event")} ${ofStream}
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
    const items = found.map((row) => parseEvent(emitterId, stream, row));
    return { totalCount: count?.n ?? 0, items: order === "ASC" ? items.toReversed() : items };
  });
}
