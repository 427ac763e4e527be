import {
  mapInSteps,
  newSortableId,
  nextEventId,
  type Cause,
  type EventId,
  type Steps,
  type StoredEvent,
  type StreamKind,
} from "@x/model";
import type { GuestEmit } from "@x/sandbox";
import type { Change } from "@x/store";
import type { CachedSource } from "./lane/source-cache.ts";

const byteLimitedTrim = 32;

/** Adds events to streams: assigns ids, tracks the newest ids, trims from time to time. */
export class Appender {
  changes: Change[] = [];
  readonly events: StoredEvent[] = [];
  readonly heads: { [stream in StreamKind]?: EventId };
  readonly untrimmed: Map<StreamKind, number>;
  readonly #cached: CachedSource;
  readonly #now: number;
  readonly #cause: { readonly cause?: Cause };

  constructor(cached: CachedSource, now: number, cause: Cause | undefined) {
    this.#cached = cached;
    this.#now = now;
    this.#cause = cause ? { cause } : {};
    this.heads = { ...cached.heads };
    this.untrimmed = new Map(cached.untrimmed);
  }

  add(stream: StreamKind, payload: string, emit: Partial<GuestEmit> = {}): StoredEvent {
    const id = nextEventId(this.heads[stream], this.#now);
    this.heads[stream] = id;
    const event: StoredEvent = {
      emitterId: this.#cached.source.id,
      stream,
      id,
      emitId: newSortableId(this.#now),
      name: stream === "emits" ? (emit.name ?? "") : stream,
      payload,
      ...(emit.id === undefined ? {} : { dedupeId: emit.id }),
      ...(emit.summary === undefined ? {} : { summary: emit.summary }),
      ...(emit.ts === undefined ? {} : { ts: emit.ts }),
    };
    this.events.push(event);
    this.changes.push({ op: "event.add", event, ...this.#cause });
    return event;
  }

  /**
   * Trims a stream when it may hold many more events than `keep`; reads never return more than `keep`.
   * Events of one run beyond `keep` are not stored, because they could never be read. Listeners still receive them.
   */
  *trim(keep: number, hasListeners: boolean): Steps<void> {
    for (const stream of new Set(this.events.map((event) => event.stream))) {
      yield;
      const before = this.untrimmed.get(stream);
      const own = this.events.filter((event) => event.stream === stream);
      const unread = new Set(own.slice(0, Math.max(0, own.length - keep)));
      if (unread.size > 0) {
        const isUnread = (change: Change): boolean => change.op === "event.add" && unread.has(change.event);
        this.changes = hasListeners
          ? yield* mapInSteps(
              this.changes,
              (change) => (isUnread(change) ? { ...change, unread: true } : change) as Change,
            )
          : this.changes.filter((change) => !isUnread(change));
      }
      const added = (before ?? 0) + own.length - unread.size;
      const due = before === undefined || added >= Math.max(byteLimitedTrim, keep / 2);
      this.untrimmed.set(stream, due ? 0 : added);
      if (due) this.changes.push({ op: "events.trim", emitterId: this.#cached.source.id, stream, keep });
    }
  }
}
