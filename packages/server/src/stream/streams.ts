import {
  compareEventIds,
  type EventId,
  formatEventId,
  type LiveEvent,
  type Runtime,
  type StreamKind,
  XError,
} from "@x/runtime";

import { checkEmitter } from "../emitter-kind.ts";
import { withBeats } from "./beats.ts";
import { beatFrame, eventFrame, noticeFrame, openingFrame } from "./frame.ts";
import { type Gap, replayAfter, type Replayed, replayLast, type StoredStream } from "./replay.ts";

/** Which events of a source a client wants to hear. */
export interface StreamRequest {
  readonly sourceId: string;
  readonly userId: string;
  /** The stream ends when this key stops working. */
  readonly apiKey: string;
  readonly stream: StreamKind;
  /** A channel, empty for the default one; undefined: the whole stream. */
  readonly name: string | undefined;
  /** Begin with what is stored after this id. */
  readonly after?: EventId;
  /** Without `after`: begin with this many stored events. */
  readonly replay?: number;
  readonly select: (resource: object) => object;
}

export interface StreamsOptions {
  /** Default 15 000. */
  readonly beatMs?: number;
  /** Most events that may wait for a slow client; then its stream ends. Default: the runtime's. */
  readonly backlog?: number;
  /** Hears about what broke a stream. */
  report(error: unknown): void;
}

/** The open streams of one app. */
export interface Streams {
  /** Subscribes now; the bytes are made as they are read. Cancelling the stream frees everything. */
  open(request: StreamRequest): ReadableStream<Uint8Array>;
  /** Ends all of them; the clients come back to resume. */
  close(): void;
}

const defaultBeatMs = 15_000;

const showGap = ({ after, oldest }: Gap): object => ({ after: formatEventId(after), oldest: formatEventId(oldest) });

/** Server-sent events of sources, over one runtime. */
export function createStreams(runtime: Runtime, options: StreamsOptions): Streams {
  const { beatMs = defaultBeatMs, backlog, report } = options;
  const open = new Set<AbortController>();
  let closed = false;

  async function isGone({ sourceId, userId }: StreamRequest): Promise<boolean> {
    try {
      await checkEmitter(runtime, sourceId, userId);
      return false;
    } catch (error) {
      if (XError.is(error) && error.code === "not_found") return true;
      throw error;
    }
  }

  async function* frames(
    request: StreamRequest,
    live: AsyncIterator<LiveEvent>,
    stopped: AbortSignal,
  ): AsyncGenerator<string, void> {
    const { sourceId, userId, stream, name, after, replay, select } = request;
    const stored: StoredStream = {
      name,
      retention: runtime.limits.retention,
      read: (page) => runtime.storedEvents(sourceId, stream, page, userId),
    };
    yield openingFrame;

    // What is stored by now is replayed up to here; what is newer was heard live, as the subscription is older.
    const newest = after && (await stored.read({ limit: 1 })).items[0]?.id;
    let last = after;
    let replayed: AsyncIterable<Replayed> | undefined;
    if (after && newest) replayed = replayAfter(stored, after, newest);
    else if (!after && replay !== undefined) replayed = replayLast(stored, replay);
    if (replayed) {
      for await (const item of replayed) {
        if (stopped.aborted) return;
        yield "gap" in item ? noticeFrame("gap", showGap(item.gap)) : eventFrame(item.event, select);
        if ("event" in item) last = item.event.id;
      }
    }

    for await (const item of withBeats(live, beatMs)) {
      if (item === "beat") {
        if (await isGone(request)) return;
        yield beatFrame;
      } else if (!last || compareEventIds(item.event.id, last) > 0) {
        last = item.event.id;
        yield eventFrame(item.event, select);
      }
    }
  }

  return {
    open(request) {
      const { sourceId, userId, apiKey, stream, name } = request;
      const stop = new AbortController();
      if (closed) stop.abort();
      else open.add(stop);
      const filter = {
        sourceId,
        stream,
        apiKey,
        signal: stop.signal,
        ...(name !== undefined && { name }),
        ...(backlog !== undefined && { backlog }),
      };
      const live = runtime.events(filter, userId);
      const made = frames(request, live, stop.signal);
      const encoder = new TextEncoder();
      const free = (): void => {
        open.delete(stop);
        stop.abort();
      };
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            try {
              const { value, done } = await made.next();
              if (!done) controller.enqueue(encoder.encode(value));
              else {
                free();
                controller.close();
              }
            } catch (error) {
              // Cancelled meanwhile: nobody is left to tell.
              if (stop.signal.aborted) return;
              free();
              report(error);
              controller.error(error);
            }
          },
          cancel: free,
        },
        { highWaterMark: 0 },
      );
    },
    close() {
      closed = true;
      for (const stop of open) stop.abort();
      open.clear();
    },
  };
}
