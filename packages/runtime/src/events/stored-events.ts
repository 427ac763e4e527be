import {
  compareEventIds,
  formatEventId,
  type Limits,
  type Paged,
  type StoredEvent,
  type StreamKind,
  unknownCursor,
} from "@x/model";
import type { EventRange, EventRecordPage, Store } from "@x/store";
import { maxEmitters, type Newest, type NewestQuery, readNewest } from "./newest-events.ts";

/** The stored events of users' emitters. */
export interface Events {
  list(emitterId: string, stream: StreamKind, page: EventRecordPage, userId: string): Promise<Paged<StoredEvent>>;
  /** The newest ones of all emitters of the user, or of one. */
  newest(stream: StreamKind, query: NewestQuery & { readonly sourceId?: string }, userId: string): Promise<Newest>;
  delete(emitterId: string, stream: StreamKind, range: EventRange, userId: string): Promise<void>;
}

export interface EventsParts {
  readonly store: Store;
  readonly limits: Limits;
  /** Rejects with `not_found` unless the emitter belongs to the user. */
  own(id: string, userId: string): Promise<unknown>;
}

export function createEvents({ store, limits, own }: EventsParts): Events {
  const { retention } = limits;

  /** Ids only increase, so an id beyond the head was never in the list. */
  async function checkCursors(
    emitterId: string,
    stream: StreamKind,
    { after, before, onlyKnown }: EventRecordPage,
  ): Promise<void> {
    if (!onlyKnown || (!after && !before)) return;
    const head = (await store.sourceState(emitterId)).heads[stream];
    for (const [name, id] of [["after", after] as const, ["before", before] as const])
      if (id && (!head || compareEventIds(id, head) > 0)) throw unknownCursor(name, formatEventId(id));
  }

  return {
    async list(emitterId, stream, page, userId) {
      await own(emitterId, userId);
      await checkCursors(emitterId, stream, page);
      return store.events(emitterId, stream, { ...page, retention });
    },
    async newest(stream, { sourceId, ...query }, userId) {
      if (sourceId !== undefined) await own(sourceId, userId);
      const emitters =
        sourceId === undefined
          ? await store.newestHeads(userId, stream, maxEmitters + 1)
          : [{ emitterId: sourceId, newest: undefined }];
      return readNewest(emitters, query, (id, page) => store.events(id, stream, { ...page, retention }));
    },
    async delete(emitterId, stream, range, userId) {
      await own(emitterId, userId);
      // The request is a snapshot: events after it stay.
      const newest = (await store.events(emitterId, stream, { limit: 1, wholeBytes: 0, retention })).items[0];
      if (!newest) return;
      const end = range.end && compareEventIds(range.end, newest.id) < 0 ? range.end : newest.id;
      await store.commit([{ op: "events.delete", emitterId, stream, range: { ...range, end } }]);
    },
  };
}
