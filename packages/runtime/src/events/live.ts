import type { EventsFilter } from "../api/events-api.ts";
import type { CommittedEvent } from "./committed-event.ts";
import { createWaitingEvents, type WaitingLimits } from "./waiting-events.ts";

/** Hands committed events to whoever listens right now. */
export interface Live {
  publish(events: readonly CommittedEvent[]): void;
  /** Hears this user's events; without one, those of all users. */
  listen(filter: EventsFilter, userId: string | undefined): AsyncIterableIterator<CommittedEvent>;
  /** Ends whatever listens by this key. */
  revoke(apiKey: string): void;
  close(): void;
}

/** A listener that falls further behind than this is ended: what it hears never has a hole in the middle. */
const defaultBacklog = 10_000;
const backlogChars = 64 * 1024 * 1024;
const waitingLimits: WaitingLimits = { chars: 256 * 1024 * 1024, charsPerUser: 128 * 1024 * 1024 };

interface Listener {
  readonly apiKey: string | undefined;
  readonly waitingChars: number;
  hear(event: CommittedEvent): void;
  end(): void;
  /** Ends it without what waits for it. */
  drop(): void;
}

/** `isValid` tells whether an API key works now. */
export function createLive(isValid: (apiKey: string) => boolean, limits: WaitingLimits = waitingLimits): Live {
  const listeners = new Set<Listener>();
  /** Also those that have ended and were not read to their end. */
  const holders = new Set<Listener>();
  const waiting = createWaitingEvents(limits);
  let isClosed = false;

  function listen(filter: EventsFilter, userId: string | undefined): AsyncIterableIterator<CommittedEvent> {
    const backlog: CommittedEvent[] = [];
    /** Given out, and perhaps in hand still. */
    let given: CommittedEvent | undefined;
    let waitingChars = 0;
    const longest = filter.backlog ?? defaultBacklog;
    const state = { ended: false, counted: true };
    let sleepers: (() => void)[] = [];
    const wake = (): void => {
      const woken = sleepers;
      sleepers = [];
      for (const resolve of woken) resolve();
    };
    const release = (): void => {
      if (given && state.counted) waiting.remove(given);
      given = undefined;
      if (backlog.length === 0) holders.delete(listener);
    };
    /** From now on it is the affair of whoever holds the iterator. */
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
      hear(event) {
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
    // The key may have gone after the request that came with it.
    if (isClosed || filter.signal?.aborted || (filter.apiKey !== undefined && !isValid(filter.apiKey)))
      state.ended = true;
    else listeners.add(listener);
    filter.signal?.addEventListener("abort", leave, { once: true });
    return {
      async next() {
        release();
        while (backlog.length === 0 && !state.ended) {
          await new Promise<void>((resolve) => {
            sleepers.push(resolve);
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

  /** What is held for listeners that do not read is let go, the longest backlog first; who comes back finds it stored. */
  function makeRoom(userId: string): void {
    for (const listener of [...holders].sort((a, b) => b.waitingChars - a.waitingChars)) {
      if (!waiting.isTooMuch(userId)) return;
      listener.drop();
    }
  }

  return {
    publish(events) {
      for (const event of events) {
        for (const listener of listeners) listener.hear(event);
        if (waiting.isTooMuch(event.source.userId)) makeRoom(event.source.userId);
      }
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
