import { readEventId } from "../model/event-id-text.ts";
import { formatEventId } from "../model/event-id.ts";
import type { EventPage, EventRange, LiveEvent, StoredEvent } from "../api/events-api.ts";
import type { Source } from "../api/api.ts";
import type { Source as SourceRecord, StoredEvent as EventRecord } from "../model/model.ts";
import type { EventRange as RecordRange, EventRecordPage } from "../store/contract.ts";
import type { CommittedEvent } from "./committed-event.ts";

/** Throws `invalid_parameter` for cursors that are no event ids. */
export const readEventPage = ({ after, before, ...page }: EventPage): EventRecordPage => ({
  ...page,
  ...(after !== undefined && { after: readEventId("after", after) }),
  ...(before !== undefined && { before: readEventId("before", before) }),
});

/** Throws `invalid_parameter` for ends that are no event ids. */
export const readEventRange = ({ start, end }: EventRange): RecordRange => ({
  ...(start !== undefined && { start: readEventId("start", start) }),
  ...(end !== undefined && { end: readEventId("end", end) }),
});

/** The event as callers see it. */
export const shownEvent = (event: EventRecord): StoredEvent => ({
  ...event,
  id: formatEventId(event.id),
  indexedAt: event.id.ms,
});

/** Committed events as listeners see them. */
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
