import {
  compareEventIds,
  type EventId,
  formatEventId,
  type LiveEvent,
  type Paged,
  type StoredEvent,
  type StreamKind,
  type UserRuntime,
  XError,
} from "@x/runtime";

import type { Hold } from "../budget/byte-budget.ts";
import { checkEmitter } from "../emitter-kind.ts";
import { sliceText } from "../json-text.ts";
import { withBeats } from "./beats.ts";
import { beatFrame, eventFrame, noticeFrame, openingFrame } from "./frame.ts";
import { type Gap, replayAfter, type Replayed, replayLast, type StoredStream } from "./replay.ts";

/** Which events of a source a client wants to hear. */
export interface StreamRequest {
  readonly sourceId: string;
  /** Acts for whoever listens. */
  readonly runtime: UserRuntime;
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
  /** What the stream keeps while it replays. */
  readonly hold: Hold;
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

/** What is made of a stream at a time. */
const pieceChars = 64 * 1024;

function* pieces(event: StoredEvent, select: (resource: object) => object): Generator<string> {
  let joined = "";
  for (const text of eventFrame(event, select)) {
    if (joined.length + text.length <= pieceChars) joined += text;
    else {
      yield* sliceText(joined, pieceChars);
      yield* sliceText(text, pieceChars);
      joined = "";
    }
  }
  yield joined;
}

/** Reads a page when there is room for it: a stream that has begun waits until others have read. */
async function readWithin<T>(
  hold: Hold,
  read: (admit: (bytes: number) => void) => Promise<T>,
  stopped: AbortSignal,
): Promise<T> {
  for (;;) {
    // What was read before is sent by now.
    hold.resize(0);
    try {
      return await read(hold.resize);
    } catch (error) {
      if (!XError.is(error) || error.code !== "overloaded" || stopped.aborted) throw error;
      await hold.room(stopped);
    }
  }
}

/** Server-sent events of sources and workflows. */
export function createStreams(options: StreamsOptions): Streams {
  const { beatMs = defaultBeatMs, backlog, report } = options;
  const open = new Set<AbortController>();
  let closed = false;

  async function isGone({ sourceId, runtime }: StreamRequest): Promise<boolean> {
    try {
      await checkEmitter(runtime, sourceId);
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
    const { sourceId, runtime, stream, name, after, replay, select, hold } = request;
    const stored: StoredStream = {
      name,
      retention: runtime.limits.retention,
      async read(page) {
        const read = (admit?: (bytes: number) => void): Promise<Paged<StoredEvent>> =>
          runtime.storedEvents(sourceId, stream, { ...page, ...(admit && { admit }) });
        return page.wholeBytes === 0 ? read() : readWithin(hold, read, stopped);
      },
    };
    yield openingFrame;

    // What is stored by now is replayed up to here; what is newer was heard live, as the subscription is older.
    const newest = after && (await stored.read({ limit: 1, wholeBytes: 0 })).items[0]?.id;
    let last = after;
    let replayed: AsyncIterable<Replayed> | undefined;
    if (after && newest) replayed = replayAfter(stored, after, newest);
    else if (!after && replay !== undefined) replayed = replayLast(stored, replay);
    if (replayed) {
      for await (const item of replayed) {
        if (stopped.aborted) return;
        if ("gap" in item) yield noticeFrame("gap", showGap(item.gap));
        else yield* pieces(item.event, select);
        if ("event" in item) last = item.event.id;
      }
    }
    hold.resize(0);

    for await (const item of withBeats(live, beatMs)) {
      if (item === "beat") {
        if (await isGone(request)) return;
        yield beatFrame;
      } else if (!last || compareEventIds(item.event.id, last) > 0) {
        last = item.event.id;
        yield* pieces(item.event, select);
      }
    }
  }

  return {
    open(request) {
      const { sourceId, runtime, apiKey, stream, name } = request;
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
      const live = runtime.events(filter);
      const made = frames(request, live, stop.signal);
      const encoder = new TextEncoder();
      const { hold } = request;
      let isCancelled = false;
      const free = (): void => {
        open.delete(stop);
        stop.abort();
        hold.release();
      };
      return new ReadableStream<Uint8Array>(
        {
          start(controller) {
            hold.letGo(() => {
              isCancelled = true;
              free();
              controller.error(new Error("The stream was not read in time"));
            });
          },
          async pull(controller) {
            hold.move(hold.bytes);
            try {
              const { value, done } = await made.next();
              if (isCancelled) return;
              if (!done) controller.enqueue(encoder.encode(value));
              else {
                free();
                controller.close();
              }
            } catch (error) {
              // Nobody is left to tell.
              if (isCancelled) return;
              const isEnding = stop.signal.aborted;
              free();
              if (isEnding) {
                controller.close();
                return;
              }
              report(error);
              controller.error(error);
            }
          },
          cancel() {
            isCancelled = true;
            free();
          },
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
