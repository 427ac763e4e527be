import type { EventRecordPage } from "@x/store";
import type { Source } from "./api.ts";
import type {
  EventIdText as EventId,
  ObservedExecution as ObservedRecord,
  StoredEvent as EventRecord,
  StreamKind,
} from "@x/model";

/** A stored event. */
export interface StoredEvent extends Omit<EventRecord, "id"> {
  readonly id: EventId;
  /** Time of the commit, epoch ms; the first part of the id. */
  readonly indexedAt: number;
}

/** A range of events, inclusive. An absent end is the end of the stream. */
export interface EventRange {
  readonly start?: EventId;
  readonly end?: EventId;
}

/** A page of events, newest first: `after` an id come older ones, `before` an id newer ones. */
export interface EventPage extends Omit<EventRecordPage, "after" | "before"> {
  readonly after?: EventId;
  readonly before?: EventId;
}

/** Which of the newest events of several sources are wanted. */
export interface NewestEventsQuery {
  /** A source or workflow; absent: all of the user's. */
  readonly sourceId?: string;
  readonly limit: number;
  /** Only events for which it is true. */
  readonly matches?: (event: StoredEvent) => boolean;
  /** Called with the bytes of all payloads that are held, before they are read. An `XError` that it throws rejects the call. */
  readonly admit?: (bytes: number) => void;
}

/** Events of several sources, newest first. */
export interface NewestEvents {
  readonly items: readonly StoredEvent[];
  /** False when the search ended at 16 MiB of payloads or 1,000 sources: others may match, too. */
  readonly isWhole: boolean;
}

/** One ended call of a component's code, with the effects that the next commit stores. */
export interface ObservedExecution extends Omit<ObservedRecord, "source" | "emitted"> {
  readonly source: Source;
  /** Events of the `emits` stream, oldest first. */
  readonly emitted: readonly StoredEvent[];
}

/** A committed event. `Payload` is the type that its component emits: `Emits<typeof component>` of `@x/types`. */
export interface LiveEvent<Payload = unknown> {
  readonly event: StoredEvent;
  readonly source: Source;
  /** The emitted value, parsed from `event.payload` at the first read. */
  readonly payload: Payload;
}

/** A selection of events. */
export interface EventsFilter {
  /** A source or workflow; absent: all of the user's. */
  readonly sourceId?: string;
  /** Begins with retained events after this id; needs `sourceId`. `"0-0"` is before all events. */
  readonly after?: EventId;
  /**
   * With `after`: called when later events may have been trimmed, with the id of the oldest stored one; for an id ahead of the
   * stream with that of the newest one, after which the events then come.
   */
  readonly onGap?: (oldest: EventId) => void;
  /** Default `emits`. */
  readonly stream?: StreamKind;
  /** Only events of this channel; empty for the default stream. */
  readonly name?: string;
  /** Ends the iteration when this API key is revoked. */
  readonly apiKey?: string;
  /** Most events that wait for the listener, default 10 000, and at most 64 Mi characters of JSON. */
  readonly backlog?: number;
  readonly signal?: AbortSignal;
}

/** A selection of events for the embedder. */
export interface RuntimeEventsFilter extends EventsFilter {
  /** Selects events of all users; default false: only those of the first user. */
  readonly everyUser?: boolean;
}
