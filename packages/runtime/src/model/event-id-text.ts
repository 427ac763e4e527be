import { XError } from "./errors.ts";
import * as records from "./event-id.ts";
import type { EventId as RecordedId } from "./model.ts";

/**
 * The id of an event, `<ms>-<seq>` with the epoch ms of its commit: in REST, in streams and on the command line alike. Ids
 * of a stream only grow; `compareEventIds` orders them, the order of their texts does not. "0-0" is before all.
 */
export type EventId = string;

const expected = "an event id such as 1767225600000-0";
const longestShown = 60;

/** The id in its one form, without leading zeros; undefined when the text is none. */
export function parseEventId(text: string): EventId | undefined {
  const id = records.parseEventId(text);
  return id && records.formatEventId(id);
}

/** The id as the store has it. Throws `invalid_parameter`, by the name under which the caller gave it. */
export function readEventId(name: string, given: unknown): RecordedId {
  const id = typeof given === "string" ? records.parseEventId(given) : undefined;
  if (id) return id;
  const received = typeof given === "string" ? JSON.stringify(given.slice(0, longestShown)) : typeof given;
  throw new XError("invalid_parameter", [name, expected, received], {
    details: { parameter: name, expected, received, errors: [{ path: `/${name}`, message: `must be ${expected}` }] },
  });
}

/** Below 0 when `a` is the older one, above 0 when it is the newer one. Throws `invalid_parameter` for what is no id. */
export const compareEventIds = (a: EventId, b: EventId): number =>
  records.compareEventIds(readEventId("a", a), readEventId("b", b));
