import { compareEventIds, type EventId, type EventPage, type Paged, type StoredEvent } from "@x/runtime";

/** A source's stored events of one stream. */
export interface StoredStream {
  /** A channel; undefined: the whole stream. */
  readonly name: string | undefined;
  /** At most this many are kept, over all channels. */
  readonly retention: number;
  read(page: EventPage): Promise<Paged<StoredEvent>>;
}

/** Events after `after` may be gone: `oldest` is the first that is still there. */
export interface Gap {
  readonly after: EventId;
  readonly oldest: EventId;
}

export type Replayed = { readonly event: StoredEvent } | { readonly gap: Gap };

/** What a client that does not read keeps is a page: these many events, of so many bytes or one. */
const pageSize = 20;
const pageBytes = 256 * 1024;

const highestSeq = "999999999999999";

/** The place just before an event. */
function justBefore(id: EventId): EventId {
  const [ms, seq] = id.split("-").map(Number);
  return seq ? `${ms}-${seq - 1}` : ms ? `${ms - 1}-${highestSeq}` : id;
}

/** The place just after an event, before the next one. */
function justAfter(id: EventId): EventId {
  const [ms, seq = 0] = id.split("-").map(Number);
  return `${ms}-${seq + 1}`;
}

/** Something was dropped after the cursor when the stream is full and shows nothing as old as the cursor. */
async function findGap(stored: StoredStream, after: EventId): Promise<Gap | undefined> {
  const older = await stored.read({ limit: 1, wholeBytes: 0, after: justAfter(after) });
  if (older.items.length > 0 || older.totalCount < stored.retention) return undefined;
  const oldest = (await stored.read({ limit: 1, wholeBytes: 0, before: after })).items[0];
  return oldest && { after, oldest: oldest.id };
}

/**
 * Stored events after a cursor up to `until`, oldest first, page by page as they are taken. A gap comes before the
 * events that follow it, also when retention overtakes a slow reader in the middle.
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
    // Checked after the read, so that nothing can vanish in between.
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
    // Only where they begin: they are read as they are taken.
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
