import type { EventsFilter } from "../api/events-api.ts";
import {
  XError,
  compareEventIds,
  endingWith,
  formatEventId,
  readEventId,
  type EventId,
  type Paged,
  type Source,
  type StoredEvent,
} from "@x/model";
import type { CommittedEvent } from "./committed-event.ts";
import type { EventRecordPage } from "@x/store";

/** Limits of a page: at most one page waits for a slow listener. */
const pageSize = 20;
const pageBytes = 1024 * 1024;

const beforeAllEvents: EventId = { ms: 0, seq: 0 };

export interface ResumeParts {
  /** Listens already, so that no event is missed during the reads of stored events. */
  readonly live: AsyncIterableIterator<CommittedEvent>;
  source(): Promise<Source>;
  read(page: EventRecordPage): Promise<Paged<StoredEvent>>;
  /** Maximum number of stored events. */
  readonly retention: number;
}

/** Returns the id to resume after and its source; undefined for live events only. Throws `invalid_parameter`. */
export function parseResumption({ after, sourceId }: EventsFilter): { after: EventId; sourceId: string } | undefined {
  if (after === undefined) return undefined;
  if (sourceId === undefined) throw new XError("invalid_parameter", ["after", "given with sourceId", "no sourceId"]);
  return { after: readEventId("after", after), sourceId };
}

/** Events after the cursor were dropped if the stream is full and has no event as old as the cursor. Returns the oldest id. */
async function findGap(cursor: EventId, { read, retention }: ResumeParts): Promise<EventId | undefined> {
  const older = await read({ limit: 1, wholeBytes: 0, after: { ms: cursor.ms, seq: cursor.seq + 1 } });
  if (older.items.length > 0 || older.totalCount < retention) return undefined;
  return (await read({ limit: 1, wholeBytes: 0, before: cursor })).items[0]?.id;
}

interface Stored {
  readonly source: Source;
  readonly after: EventId;
  /** Newer events than this one arrive live. */
  readonly until: EventId;
}

async function* storedEvents(
  { source, after, until }: Stored,
  { name, signal, onGap }: EventsFilter,
  parts: ResumeParts,
): AsyncGenerator<CommittedEvent> {
  let last = after;
  while (compareEventIds(last, until) < 0) {
    const page = await parts.read({
      limit: pageSize,
      bytes: pageBytes,
      before: last,
      ...(name !== undefined && { name }),
    });
    // After the read of the page, so that no event can be dropped in between.
    const gap = onGap && (await findGap(last, parts));
    if (gap) onGap(formatEventId(gap));
    if (page.items.length === 0) return;
    for (const event of page.items.toReversed()) {
      if (signal?.aborted) return;
      last = event.id;
      yield { event, source };
    }
  }
}

async function* storedThenLive(
  after: EventId,
  filter: EventsFilter,
  parts: ResumeParts,
): AsyncGenerator<CommittedEvent> {
  let last = after;
  try {
    const source = await parts.source();
    const until = (await parts.read({ limit: 1, wholeBytes: 0 })).items[0]?.id ?? beforeAllEvents;
    if (compareEventIds(after, until) > 0) {
      // The store was replaced by an older one, say: new events have smaller ids.
      filter.onGap?.(formatEventId(until));
      last = until;
    } else
      for await (const stored of storedEvents({ source, after, until }, filter, parts)) {
        last = stored.event.id;
        yield stored;
      }
    for await (const event of parts.live) if (compareEventIds(event.event.id, last) > 0) yield event;
  } finally {
    await parts.live.return?.();
  }
}

/** Returns the stored events after an id, oldest first, and then live events; each once. */
export function resumeEvents(
  after: EventId,
  filter: EventsFilter,
  parts: ResumeParts,
): AsyncIterableIterator<CommittedEvent> {
  return endingWith(storedThenLive(after, filter, parts), parts.live);
}
