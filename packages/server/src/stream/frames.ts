import {
  compareEventIds,
  type EventId,
  type LiveEvent,
  type Paged,
  type StoredEvent,
  type StreamKind,
  type UserRuntime,
  XError,
} from "@x/runtime";

import { type Hold, jsonTexts, sliceText } from "@x/http";
import { checkEmitter } from "../emitter-kind.ts";
import { viewEvent } from "@x/resources";
import { withBeats } from "./beats.ts";
import { replayAfter, type Replayed, replayLast, type StoredStream } from "./replay.ts";

/** Starts a stream: makes proxies forward it, and sets the client's delay before it reconnects, in ms. */
export const openingFrame: string = ": connected\nretry: 2000\n\n";

/** The same, with the id that a client goes on behind when the connection ends before the first event. */
const openingFrameAt = (id: EventId): string => `: connected\nretry: 2000\nid: ${id}\n\n`;

/** Keeps an idle connection open. */
export const beatFrame: string = ": keep-alive\n\n";

/** JSON has line breaks only between values; in a frame they would end the line. */
const inOneLine = (text: string): string => (/[\r\n]/.test(text) ? text.replaceAll(/[\r\n]/g, " ") : text);

/** The frame of an event without its id, in texts. It has no name, so that `onmessage` receives it. */
export function* dataFrame(event: StoredEvent, select: (resource: object) => object): Generator<string> {
  yield "data: ";
  for (const text of jsonTexts(select(viewEvent(event)))) yield inOneLine(text);
  yield "\n\n";
}

/** The frame of an event. */
export function* eventFrame(event: StoredEvent, select: (resource: object) => object): Generator<string> {
  yield `id: ${event.id}\n`;
  yield* dataFrame(event, select);
}

/** A frame that is not an event of the source. It has no id, so that a client does not resume from it. */
export function noticeFrame(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

const beforeAllEvents: EventId = "0-0";

/** A client's request for events of a source or workflow. */
export interface StreamRequest {
  readonly sourceId: string;
  /** Acts for the listening user. */
  readonly runtime: UserRuntime;
  /** The stream ends when this key is revoked. */
  readonly apiKey: string;
  readonly stream: StreamKind;
  /** A channel, empty for the default one; undefined for the whole stream. */
  readonly name: string | undefined;
  /** Starts with the stored events after this id. */
  readonly after?: EventId;
  /** Without `after`: starts with this many stored events. */
  readonly replay?: number;
  readonly select: (resource: object) => object;
  /** Reserves the bytes of replayed events. */
  readonly hold: Hold;
}

/** Most characters of a frame that are sent at once. */
const pieceChars = 64 * 1024;

/** The texts of a frame as pieces that are neither too long nor too many. */
export function* inPieces(texts: Iterable<string>): Generator<string> {
  let joined = "";
  for (const text of texts) {
    if (joined.length + text.length <= pieceChars) joined += text;
    else {
      yield* sliceText(joined, pieceChars);
      yield* sliceText(text, pieceChars);
      joined = "";
    }
  }
  yield joined;
}

/** Reads a page when there is room for it. Waits for room instead of failing: the stream has already started. */
async function readWithin<T>(
  hold: Hold,
  read: (admit: (bytes: number) => void) => Promise<T>,
  stopped: AbortSignal,
): Promise<T> {
  for (;;) {
    // The page before is sent.
    hold.resize(0);
    try {
      return await read(hold.resize);
    } catch (error) {
      if (!XError.is(error) || error.code !== "overloaded" || stopped.aborted) throw error;
      await hold.room(stopped);
    }
  }
}

async function isGone({ sourceId, runtime }: StreamRequest): Promise<boolean> {
  try {
    await checkEmitter(runtime, sourceId);
    return false;
  } catch (error) {
    if (XError.is(error) && error.code === "not_found") return true;
    throw error;
  }
}

/** The text of a stream: stored events as requested, then new ones. */
export async function* frames(
  request: StreamRequest,
  live: AsyncIterator<LiveEvent>,
  { stopped, beatMs }: { readonly stopped: AbortSignal; readonly beatMs: number },
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
  // Stored events are replayed up to this one. Newer ones arrive live, because the subscription started earlier.
  const readNewest = async (): Promise<EventId> =>
    (await stored.read({ limit: 1, wholeBytes: 0 })).items[0]?.id ?? beforeAllEvents;
  let last = after;
  let replayed: AsyncIterable<Replayed> | undefined;
  if (after) {
    yield openingFrame;
    const newest = await readNewest();
    if (compareEventIds(after, newest) <= 0) replayed = replayAfter(stored, after, newest);
    else {
      // The data file was replaced by an older one, say. What comes from now on has smaller ids.
      yield noticeFrame("gap", { after, newest });
      last = undefined;
    }
  } else if (replay === undefined) yield stopped.aborted ? openingFrame : openingFrameAt(await readNewest());
  else {
    yield openingFrame;
    replayed = replayLast(stored, replay);
  }
  if (replayed) {
    for await (const item of replayed) {
      if (stopped.aborted) return;
      if ("gap" in item) yield noticeFrame("gap", item.gap);
      else yield* inPieces(eventFrame(item.event, select));
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
      yield* inPieces(eventFrame(item.event, select));
    }
  }
}
