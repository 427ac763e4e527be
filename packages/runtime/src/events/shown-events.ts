import { formatEventId, readEventId, type Source as SourceRecord, type StoredEvent as EventRecord } from "@x/model";
import type { EventPage, EventRange, LiveEvent, StoredEvent } from "../api/events-api.ts";
import type { Source } from "../api/api.ts";
import type { EventRange as RecordRange, EventRecordPage } from "@x/store";
import type { CommittedEvent } from "./committed-event.ts";

/** Parses the cursors of a page. Throws `invalid_parameter`. */
export const readEventPage = ({ after, before, ...page }: EventPage): EventRecordPage => ({
  ...page,
  ...(after !== undefined && { after: readEventId("after", after) }),
  ...(before !== undefined && { before: readEventId("before", before) }),
});

/** Parses the ends of a range. Throws `invalid_parameter`. */
export const readEventRange = ({ start, end }: EventRange): RecordRange => ({
  ...(start !== undefined && { start: readEventId("start", start) }),
  ...(end !== undefined && { end: readEventId("end", end) }),
});

/** Converts an event for callers. */
export const shownEvent = (event: EventRecord): StoredEvent => ({
  ...event,
  id: formatEventId(event.id),
  indexedAt: event.id.ms,
});

/** Converts committed events for listeners. */
export function shownEvents(
  committed: AsyncIterableIterator<CommittedEvent>,
  shownSource: (source: SourceRecord) => Source,
): AsyncIterableIterator<LiveEvent> {
  return {
    async next() {
      const { value, done } = await committed.next();
      return done ? { value: undefined, done } : { value: liveEvent(value, shownSource), done: false };
    },
    async return() {
      await committed.return?.();
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

function liveEvent({ event, source }: CommittedEvent, shownSource: (source: SourceRecord) => Source): LiveEvent {
  let parsed: { readonly payload: unknown } | undefined;
  return {
    event: shownEvent(event),
    source: shownSource(source),
    get payload() {
      return (parsed ??= { payload: JSON.parse(event.payload) as unknown }).payload;
    },
  };
}
