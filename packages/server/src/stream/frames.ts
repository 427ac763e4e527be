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

import type { Hold } from "../budget/byte-budget.ts";
import { checkEmitter } from "../emitter-kind.ts";
import { jsonTexts, sliceText } from "../json-text.ts";
import { viewEvent } from "../views.ts";
import { withBeats } from "./beats.ts";
import { replayAfter, type Replayed, replayLast, type StoredStream } from "./replay.ts";

/** The first thing on a stream: what proxies wait for, and how soon to come back after a break. */
const openingFrame: string = ": connected\nretry: 2000\n\n";

/** Keeps an idle connection from being taken for a dead one. */
const beatFrame: string = ": keep-alive\n\n";

/** A line break in a text of JSON stands between values, where it means no more than a space; here it would end the line. */
const inOneLine = (text: string): string => (/[\r\n]/.test(text) ? text.replaceAll(/[\r\n]/g, " ") : text);

/** An event under its id, in pieces; without a name, so that `onmessage` hears it (G02, G03). */
export function* eventFrame(event: StoredEvent, select: (resource: object) => object): Generator<string> {
  yield `id: ${event.id}\ndata: `;
  for (const text of jsonTexts(select(viewEvent(event)))) yield inOneLine(text);
  yield "\n\n";
}

/** Something that is not an event of the source; it has no id, so that a client does not resume from it. */
function noticeFrame(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Which events of a source a client wants. */
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

async function isGone({ sourceId, runtime }: StreamRequest): Promise<boolean> {
  try {
    await checkEmitter(runtime, sourceId);
    return false;
  } catch (error) {
    if (XError.is(error) && error.code === "not_found") return true;
    throw error;
  }
}

/** The text of a stream: what is stored, as far as it is asked for, then what is emitted. */
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
      if ("gap" in item) yield noticeFrame("gap", item.gap);
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
