import { compareEventIds, type EventId, type EventPage, type Paged, type StoredEvent } from "@x/runtime";

/** A source's stored events of one stream. */
export interface StoredStream {
  /** A channel; undefined for the whole stream. */
  readonly name: string | undefined;
  /** Most stored events over all channels. */
  readonly retention: number;
  read(page: EventPage): Promise<Paged<StoredEvent>>;
}

/** Events between `after` and `oldest`, the first that is still stored, may have been deleted. */
export interface Gap {
  readonly after: EventId;
  readonly oldest: EventId;
}

export type Replayed = { readonly event: StoredEvent } | { readonly gap: Gap };

/** A page is the most that a slow client reserves: this many events and bytes, or a single event. */
const pageSize = 20;
const pageBytes = 256 * 1024;

const highestSeq = "999999999999999";

/** The greatest id before an event. */
function justBefore(id: EventId): EventId {
  const [ms, seq] = id.split("-").map(Number);
  return seq ? `${ms}-${seq - 1}` : ms ? `${ms - 1}-${highestSeq}` : id;
}

/** The smallest id after an event. */
function justAfter(id: EventId): EventId {
  const [ms, seq = 0] = id.split("-").map(Number);
  return `${ms}-${seq + 1}`;
}

/** A gap when the stream is full and has no event as old as the cursor: then events after it were deleted. */
async function findGap(stored: StoredStream, after: EventId): Promise<Gap | undefined> {
  const older = await stored.read({ limit: 1, wholeBytes: 0, after: justAfter(after) });
  if (older.items.length > 0 || older.totalCount < stored.retention) return undefined;
  const oldest = (await stored.read({ limit: 1, wholeBytes: 0, before: after })).items[0];
  return oldest && { after, oldest: oldest.id };
}

/**
 * Stored events after a cursor up to `until`, oldest first, read page by page. A gap comes before the events that follow it,
 * also when retention deletes events while a slow client reads.
 */
export async function* replayAfter(
  stored: StoredStream,
  after: EventId,
  until: EventId,
  atStart: "checked" | "trusted" = "checked",
): AsyncGenerator<Replayed, void> {
  const { name } = stored;
  let cursor = after;
  let trusted = atStart === "trusted";
  while (compareEventIds(cursor, until) < 0) {
    const page = await stored.read({
      limit: pageSize,
      bytes: pageBytes,
      before: cursor,
      ...(name !== undefined && { name }),
    });
    // After the read: events that were deleted in between count as a gap.
    const gap = trusted ? undefined : await findGap(stored, cursor);
    if (gap) yield { gap };
    trusted = false;
    if (page.items.length === 0) return;
    for (const event of page.items.toReversed()) {
      if (compareEventIds(event.id, until) > 0) return;
      yield { event };
      cursor = event.id;
    }
  }
}

/** The last `count` stored events, oldest first. */
export async function* replayLast(stored: StoredStream, count: number): AsyncGenerator<Replayed, void> {
  const { name } = stored;
  let first: StoredEvent | undefined;
  let newest: StoredEvent | undefined;
  for (let left = count; left > 0; left -= pageSize) {
    // Only finds the first id; `replayAfter` reads the events.
    const page = await stored.read({
      limit: Math.min(left, pageSize),
      wholeBytes: 0,
      ...(name !== undefined && { name }),
      ...(first && { after: first.id }),
    });
    newest ??= page.items[0];
    first = page.items.at(-1) ?? first;
    if (page.items.length < Math.min(left, pageSize)) break;
  }
  if (first && newest) yield* replayAfter(stored, justBefore(first.id), newest.id, "trusted");
}
