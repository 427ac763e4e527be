import type { Source } from "./api.ts";
import type { EventId } from "../model/event-id-text.ts";
import type { ObservedExecution as ObservedRecord, StoredEvent as EventRecord, StreamKind } from "../model/model.ts";

/** An event as it is stored. */
export interface StoredEvent extends Omit<EventRecord, "id"> {
  readonly id: EventId;
  /** When it was committed, epoch ms; the first part of the id. */
  readonly indexedAt: number;
}

/** Which events of a stream; both ends are included. An end that is absent is that of the stream. */
export interface EventRange {
  readonly start?: EventId;
  readonly end?: EventId;
}

/** Newest first; `after` an id are older ones, `before` it newer ones. */
export interface EventPage {
  readonly limit: number;
  readonly after?: EventId;
  readonly before?: EventId;
  /** Only this channel; empty for the default stream. */
  readonly name?: string;
  /** The page ends before its payloads are more than this together; its first event it has in any case. */
  readonly bytes?: number;
  /** Longer payloads are left out: `payload` is empty, and `payloadBytes` tells their length. */
  readonly wholeBytes?: number;
  /** Called with the bytes of the page's payloads before they are read; the `XError` that it throws rejects. */
  readonly admit?: (bytes: number) => void;
  /** Rejects with `invalid_parameter` for a cursor that is newer than every event there ever was. */
  readonly onlyKnown?: boolean;
}

/** One call of a component's code that has ended, with what it is about to leave behind. */
export interface ObservedExecution extends Omit<ObservedRecord, "source" | "emitted"> {
  readonly source: Source;
  /** Events of the `emits` stream, in their order. */
  readonly emitted: readonly StoredEvent[];
}

/** A committed event; `Payload` is what its component emits, `Emits<typeof component>` of `@x/types`. */
export interface LiveEvent<Payload = unknown> {
  readonly event: StoredEvent;
  readonly source: Source;
  /** What was emitted, parsed from `event.payload` when it is first read. */
  readonly payload: Payload;
}

/** Which events to hear. */
export interface EventsFilter {
  /** A source or workflow; absent: all of the user. */
  readonly sourceId?: string;
  /** Begins with what is stored after this id, as far as it is retained; with `sourceId`. `"0-0"` is before all. */
  readonly after?: EventId;
  /** With `after`: told when events that came after it may be gone, with the oldest one that is still there. */
  readonly onGap?: (oldest: EventId) => void;
  /** Default `emits`. */
  readonly stream?: StreamKind;
  /** Only this channel; empty for the default stream. */
  readonly name?: string;
  /** Ends when this key stops working. */
  readonly apiKey?: string;
  /** Most events that may wait for the listener, default 10 000; no more than 64 Mi characters of JSON in any case. */
  readonly backlog?: number;
  readonly signal?: AbortSignal;
}

/** What whoever runs the service can hear. */
export interface RuntimeEventsFilter extends EventsFilter {
  /** Events of all users; default false: those of the first. */
  readonly everyUser?: boolean;
}
