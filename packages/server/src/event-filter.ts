import { setImmediate } from "node:timers/promises";

import {
  compareEventIds,
  type EventId,
  type EventPage,
  type Json,
  type Paged,
  jsonParts,
  pointerMembers,
  type StoredEvent,
  XError,
} from "@x/runtime";

import { createPageWindow } from "./page-window.ts";
import { shownEvent } from "@x/resources";

/** Conditions on events; an absent one matches every event. */
export interface EventFilter {
  readonly name?: string;
  /** Only events after this one. */
  readonly since?: EventId;
  readonly matches?: (payload: Json) => boolean;
}

type ReadEvents = (page: EventPage) => Promise<Paged<StoredEvent>>;

/** Size of the batches in which a stream is read: other requests run between two batches. */
const pieceSize = 20;
const pieceBytes = 256 * 1024;
/** Most characters of payloads that one search reads. */
const searchedChars = 16 * 1024 * 1024;
/** Most parts of their JSON: about 250 ms. */
const searchedParts = 2_000_000;

function findMember(value: Json | undefined, name: string): Json | undefined {
  if (Array.isArray(value)) return /^(0|[1-9][0-9]{0,9})$/.test(name) ? value[Number(name)] : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

/**
 * Parses `<json pointer>=<value>`: true for an event whose value there is this text, or has this JSON text. Without a pointer
 * it compares the whole event.
 */
export function parsePointerTest(text: string): (payload: Json) => boolean {
  const equals = text.indexOf("=");
  const wanted = text.slice(equals + 1);
  const names = pointerMembers(text.slice(0, equals));
  return (payload) => {
    const found = names.reduce<Json | undefined>(findMember, payload);
    if (found === undefined) return false;
    return found === wanted || JSON.stringify(found) === wanted;
  };
}

function tooMuch(got: string): XError {
  const expected = "used with fewer events, by name or since_id";
  const problem = { in: "query", path: "/q", message: `must be ${expected}, got ${got}` };
  return new XError("invalid_parameter", ["q", expected, got], { details: { parameter: "q", errors: [problem] } });
}

/** The events that match the filter, newest first, read in batches. Throws `invalid_parameter` for too large ones. */
async function* scan(
  read: ReadEvents,
  { name, since, matches }: EventFilter,
  how: Pick<EventPage, "wholeBytes" | "admit">,
): AsyncGenerator<StoredEvent, void> {
  let after: EventId | undefined;
  let left = searchedChars;
  let parts = searchedParts;
  for (;;) {
    const page = await read({
      ...how,
      limit: pieceSize,
      bytes: pieceBytes,
      ...(name !== undefined && { name }),
      ...(after && { after }),
    });
    for (const event of page.items) {
      if (since && compareEventIds(event.id, since) <= 0) return;
      if (matches) {
        left -= event.payload.length;
        if (left < 0) throw tooMuch("more than 16 MiB of events to search");
        parts -= jsonParts(event.payload, parts);
        if (parts < 0) throw tooMuch("events of more than 500,000 objects and lists");
      }
      if (!matches || matches(shownEvent(event).toJSON())) yield event;
    }
    after = page.items.at(-1)?.id;
    if (!after) return;
    // Other requests run between two batches.
    await setImmediate();
  }
}

/** Drops a payload that is longer than the page shows. */
function shownPart(event: StoredEvent, wholeBytes: number): { readonly event: StoredEvent; readonly bytes: number } {
  const bytes = Buffer.byteLength(event.payload);
  return bytes > wholeBytes ? { event: { ...event, payload: "", payloadBytes: bytes }, bytes: 0 } : { event, bytes };
}

/** Reads pages of the events that match a filter. */
export function filterEvents(read: ReadEvents, filter: EventFilter): ReadEvents {
  const { name, since, matches } = filter;
  if (!since && !matches) return (page) => read({ ...page, ...(name !== undefined && { name }) });
  return async ({ limit, after, before, bytes = Number.POSITIVE_INFINITY, wholeBytes, admit }) => {
    let totalCount = 0;
    // With `before` alone the page ends at the cursor.
    const fromEnd = before !== undefined && after === undefined;
    const window = createPageWindow<StoredEvent>({ limit, bytes, fromEnd });
    const pieces = scan(read, filter, {
      // The filter needs whole payloads.
      ...(wholeBytes !== undefined && !matches && { wholeBytes }),
      ...(admit && { admit: (piece) => admit(window.bytes + piece) }),
    });
    for await (const event of pieces) {
      totalCount += 1;
      if (after && compareEventIds(event.id, after) >= 0) continue;
      if (before && compareEventIds(event.id, before) <= 0) continue;
      const shown = shownPart(event, wholeBytes ?? Number.POSITIVE_INFINITY);
      window.add(shown.event, shown.bytes);
    }
    admit?.(window.bytes);
    return { totalCount, items: window.items };
  };
}
