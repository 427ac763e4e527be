import type { EventsFilter } from "../api/events-api.ts";
import type { StreamKind } from "@x/model";
import type { CommittedEvent } from "./committed-event.ts";
import { createWaitingEvents, type WaitingEvents, type WaitingLimits } from "./waiting-events.ts";

/** Sends committed events to current listeners. */
export interface Live {
  publish(events: readonly CommittedEvent[]): void;
  /** Returns this user's events; without a user, those of all users. */
  listen(filter: EventsFilter, userId: string | undefined): AsyncIterableIterator<CommittedEvent>;
  /** True when a listener may want events of this stream. */
  hears(emitterId: string, stream: StreamKind): boolean;
  /** Ends the listeners that may want events of this stream, or all; they continue from the stored events. */
  end(of?: { readonly emitterId: string; readonly stream: StreamKind }): void;
  /** Ends the listeners that use this API key. */
  revoke(apiKey: string): void;
  close(): void;
}

/** Events. A listener that falls further behind ends, so that its events never have a gap. */
const defaultBacklog = 10_000;
const backlogChars = 64 * 1024 * 1024;
const waitingLimits: WaitingLimits = { chars: 256 * 1024 * 1024, charsPerUser: 128 * 1024 * 1024 };

interface Listener {
  readonly apiKey: string | undefined;
  readonly waitingChars: number;
  /** True when the filter may match events of this stream. */
  mayWant(emitterId: string, stream: StreamKind): boolean;
  /** Adds the event to the backlog if the filter matches. */
  receive(event: CommittedEvent): void;
  end(): void;
  /** Ends it and discards its backlog. */
  drop(): void;
}

/** The listeners of a runtime. */
interface Listening {
  readonly listeners: Set<Listener>;
  /** All listeners with a backlog, also ended ones that were not read to their end. */
  readonly holders: Set<Listener>;
  readonly waiting: WaitingEvents;
  /** False when no event will come. */
  readonly isOpen: boolean;
}

const matches = (filter: EventsFilter, userId: string | undefined, { source, event }: CommittedEvent): boolean =>
  (userId === undefined || source.userId === userId) &&
  (filter.sourceId === undefined || source.id === filter.sourceId) &&
  event.stream === (filter.stream ?? "emits") &&
  (filter.name === undefined || event.name === filter.name);

/** Starts to listen; the iterator returns the events that match. */
function openListener(
  filter: EventsFilter,
  userId: string | undefined,
  { listeners, holders, waiting, isOpen }: Listening,
): AsyncIterableIterator<CommittedEvent> {
  const backlog: CommittedEvent[] = [];
  /** The last event that was returned; the reader may still hold it. */
  let given: CommittedEvent | undefined;
  let waitingChars = 0;
  const maxBacklog = filter.backlog ?? defaultBacklog;
  const state = { ended: false, counted: true };
  let readers: (() => void)[] = [];
  const wake = (): void => {
    const woken = readers;
    readers = [];
    for (const resolve of woken) resolve();
  };
  const release = (): void => {
    if (given && state.counted) waiting.remove(given);
    given = undefined;
    if (backlog.length === 0) holders.delete(listener);
  };
  /** Stops counting the backlog, which the iterator may still hold. */
  const leave = (): void => {
    listener.end();
    release();
    if (state.counted) for (const event of backlog) waiting.remove(event);
    state.counted = false;
    holders.delete(listener);
  };
  const listener: Listener = {
    apiKey: filter.apiKey,
    get waitingChars() {
      return waitingChars;
    },
    mayWant: (emitterId, stream) =>
      stream === (filter.stream ?? "emits") && (filter.sourceId === undefined || filter.sourceId === emitterId),
    receive(event) {
      if (!matches(filter, userId, event)) return;
      if (backlog.length >= maxBacklog || (backlog.length > 0 && waitingChars > backlogChars)) {
        listener.end();
        return;
      }
      backlog.push(event);
      waitingChars += event.event.payload.length;
      waiting.add(event);
      holders.add(listener);
      wake();
    },
    end() {
      state.ended = true;
      listeners.delete(listener);
      wake();
    },
    drop() {
      for (const event of backlog.splice(0)) waiting.remove(event);
      waitingChars = 0;
      holders.delete(listener);
      listener.end();
    },
  };
  if (isOpen && !filter.signal?.aborted) listeners.add(listener);
  else state.ended = true;
  filter.signal?.addEventListener("abort", leave, { once: true });
  return {
    async next() {
      release();
      while (backlog.length === 0 && !state.ended) {
        await new Promise<void>((resolve) => {
          readers.push(resolve);
        });
      }
      const value = backlog.shift();
      if (!value) {
        filter.signal?.removeEventListener("abort", leave);
        return { value: undefined, done: true };
      }
      waitingChars -= value.event.payload.length;
      release();
      given = value;
      return { value, done: false };
    },
    return() {
      filter.signal?.removeEventListener("abort", leave);
      leave();
      return Promise.resolve({ value: undefined, done: true });
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Creates the live events of a runtime. `isValid` checks an API key. */
export function createLive(isValid: (apiKey: string) => boolean, limits: WaitingLimits = waitingLimits): Live {
  const listeners = new Set<Listener>();
  const holders = new Set<Listener>();
  const waiting = createWaitingEvents(limits);
  let isClosed = false;

  /** Drops listeners that do not read, the longest backlog first. They can resume from the stored events. */
  function makeRoom(userId: string): void {
    for (const listener of [...holders].sort((a, b) => b.waitingChars - a.waitingChars)) {
      if (!waiting.isOverLimit(userId)) return;
      listener.drop();
    }
  }

  return {
    publish(events) {
      for (const event of events) {
        for (const listener of listeners) listener.receive(event);
        if (waiting.isOverLimit(event.source.userId)) makeRoom(event.source.userId);
      }
    },
    listen(filter, userId) {
      // The key may have been revoked since the request was authenticated.
      const isOpen = !isClosed && (filter.apiKey === undefined || isValid(filter.apiKey));
      return openListener(filter, userId, { listeners, holders, waiting, isOpen });
    },
    hears: (emitterId, stream) => [...listeners].some((listener) => listener.mayWant(emitterId, stream)),
    end(of) {
      for (const listener of listeners) if (!of || listener.mayWant(of.emitterId, of.stream)) listener.end();
    },
    revoke(apiKey) {
      for (const listener of listeners) if (listener.apiKey === apiKey) listener.end();
    },
    close() {
      isClosed = true;
      for (const listener of listeners) listener.end();
    },
  };
}
