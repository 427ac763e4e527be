import type { EventsFilter, LiveEvent } from "../events-api.ts";

/** An event that was committed, with the source as it was then. */
export type CommittedEvent = Omit<LiveEvent, "payload">;

/** The event as listeners see it. */
export function liveEvent({ event, source }: CommittedEvent): LiveEvent {
  let parsed: { readonly payload: unknown } | undefined;
  return {
    event,
    source,
    get payload() {
      return (parsed ??= { payload: JSON.parse(event.payload) as unknown }).payload;
    },
  };
}

/** Hands committed events to whoever listens right now. */
export interface Live {
  publish(events: readonly CommittedEvent[]): void;
  /** Hears this user's events; without one, those of all users. */
  listen(filter: EventsFilter, userId: string | undefined): AsyncIterableIterator<LiveEvent>;
  /** Ends whatever listens by this key. */
  revoke(apiKey: string): void;
  close(): void;
}

/** A listener that falls further behind than this is ended: what it hears never has a hole in the middle. */
const defaultBacklog = 10_000;
const backlogChars = 64 * 1024 * 1024;

/** `isValid` tells whether an API key works now. */
export function createLive(isValid: (apiKey: string) => boolean): Live {
  const listeners = new Set<{ readonly apiKey: string | undefined; hear(event: CommittedEvent): void; end(): void }>();
  let isClosed = false;

  function listen(filter: EventsFilter, userId: string | undefined): AsyncIterableIterator<LiveEvent> {
    const backlog: CommittedEvent[] = [];
    let waitingChars = 0;
    const longest = filter.backlog ?? defaultBacklog;
    const state = { ended: false };
    let sleepers: (() => void)[] = [];
    const wake = (): void => {
      const woken = sleepers;
      sleepers = [];
      for (const resolve of woken) resolve();
    };
    const listener = {
      apiKey: filter.apiKey,
      hear(event: CommittedEvent) {
        if (userId !== undefined && event.source.userId !== userId) return;
        if (filter.sourceId !== undefined && event.source.id !== filter.sourceId) return;
        if (event.event.stream !== (filter.stream ?? "emits")) return;
        if (filter.name !== undefined && event.event.name !== filter.name) return;
        if (backlog.length >= longest || (backlog.length > 0 && waitingChars > backlogChars)) {
          listener.end();
          return;
        }
        backlog.push(event);
        waitingChars += event.event.payload.length;
        wake();
      },
      end() {
        state.ended = true;
        listeners.delete(listener);
        filter.signal?.removeEventListener("abort", listener.end);
        wake();
      },
    };
    // The key may have gone after the request that came with it.
    if (isClosed || filter.signal?.aborted || (filter.apiKey !== undefined && !isValid(filter.apiKey)))
      state.ended = true;
    else listeners.add(listener);
    filter.signal?.addEventListener("abort", listener.end, { once: true });
    return {
      async next() {
        while (backlog.length === 0 && !state.ended) {
          await new Promise<void>((resolve) => {
            sleepers.push(resolve);
          });
        }
        const value = backlog.shift();
        if (value) waitingChars -= value.event.payload.length;
        return value ? { value: liveEvent(value), done: false } : { value: undefined, done: true };
      },
      return() {
        listener.end();
        return Promise.resolve({ value: undefined, done: true });
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  return {
    publish(events) {
      for (const event of events) for (const listener of listeners) listener.hear(event);
    },
    listen,
    revoke(apiKey) {
      for (const listener of listeners) if (listener.apiKey === apiKey) listener.end();
    },
    close() {
      isClosed = true;
      for (const listener of listeners) listener.end();
    },
  };
}
