import { XError } from "./errors.ts";
import * as records from "./event-id.ts";
import type { EventId as RecordedId } from "./model.ts";

/**
 * The id of an event, `<ms>-<seq>` with the epoch ms of its commit, as in REST, in streams and on the command line. Ids of a
 * stream only increase. Compare them with `compareEventIds`, not as texts. "0-0" is before all ids.
 */
export type EventId = string;

const expected = "an event id such as 1767225600000-0";
const longestShown = 60;

/** Returns the id without leading zeros; undefined for a text that is not an id. */
export function parseEventId(text: string): EventId | undefined {
  const id = records.parseEventId(text);
  return id && records.formatEventId(id);
}

/** Parses an id. Throws `invalid_parameter` with the name of the parameter. */
export function readEventId(name: string, given: unknown): RecordedId {
  const id = typeof given === "string" ? records.parseEventId(given) : undefined;
  if (id) return id;
  const received = typeof given === "string" ? JSON.stringify(given.slice(0, longestShown)) : typeof given;
  throw new XError("invalid_parameter", [name, expected, received], {
    details: { expected, received },
  });
}

/** Negative if `a` is older, positive if it is newer. Throws `invalid_parameter` for a text that is not an id. */
export const compareEventIds = (a: EventId, b: EventId): number =>
  records.compareEventIds(readEventId("a", a), readEventId("b", b));
