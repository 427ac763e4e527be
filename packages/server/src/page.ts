import { type EventId, type EventPage, type Page, type Paged, parseEventId, readEach, XError } from "@x/runtime";

import { type Answer, jsonAnswer, jsonTextAnswer } from "@x/http";

/** Most bytes of stored items on a page; a page has at least one item. */
export const pageBytes: number = 8 * 1024 * 1024;

const defaultLimit = 10;
const highestLimit = 100;

/** Validated query parameters of a list. */
export interface PageQuery {
  readonly limit?: string;
  readonly after?: string;
  readonly before?: string;
}

/** Items per page: default 10, clamped to 1 to 100. */
export function parseLimit(text: string | undefined): number {
  if (text === undefined || text === "") return defaultLimit;
  return Math.min(highestLimit, Math.max(1, Number(text)));
}

/** The cursor of an item in a list: unpadded base64url of its id. */
export const formatCursor = (id: string): string => Buffer.from(id, "utf8").toString("base64url");

function invalidCursor(name: string, text: string, expected: string): XError {
  return new XError("invalid_parameter", [name, expected, JSON.stringify(text.slice(0, 60))], {
    details: { received: text.slice(0, 60) },
  });
}

function parseCursor(name: "after" | "before", text: string | undefined): string | undefined {
  if (text === undefined || text === "") return undefined;
  const id = Buffer.from(text, "base64url").toString("utf8");
  if (!/^[a-z]+_[0-9A-Za-z_]+$/.test(id) || formatCursor(id) !== text.replace(/={1,2}$/, "")) {
    throw invalidCursor(name, text, "a cursor from page_info");
  }
  return id;
}

/** The page of a list of resources. Throws `invalid_parameter` for a malformed cursor. */
export function parsePage(query: PageQuery): Page {
  const { after, before } = readEach({
    after: () => parseCursor("after", query.after),
    before: () => parseCursor("before", query.before),
  });
  return { limit: parseLimit(query.limit), bytes: pageBytes, ...(after && { after }), ...(before && { before }) };
}

/** An event id in the query. Only an empty cursor counts as absent: an empty end of a range would delete too much. */
export function parseEventIdParameter(name: string, text: string | undefined): EventId | undefined {
  if (text === undefined || (text === "" && (name === "after" || name === "before"))) return undefined;
  const id = parseEventId(text);
  if (id === undefined) throw invalidCursor(name, text, "an event id");
  return id;
}

/** The page of a list of events; cursors are event ids. */
export function parseEventPage(query: PageQuery): EventPage {
  const { after, before } = readEach({
    after: () => parseEventIdParameter("after", query.after),
    before: () => parseEventIdParameter("before", query.before),
  });
  return { limit: parseLimit(query.limit), bytes: pageBytes, ...(after && { after }), ...(before && { before }) };
}

function parseKeyCursor(name: "after" | "before", text: string | undefined): string | undefined {
  if (text === undefined || text === "") return undefined;
  const key = Buffer.from(text, "base64url").toString("utf8");
  if (formatCursor(key) !== text.replace(/={1,2}$/, "")) throw invalidCursor(name, text, "a cursor from page_info");
  return key;
}

/** A page of a list that is sorted by key; cursors are keys, also of deleted items. */
export function cutKeyPage<T extends { readonly key: string }>(sorted: readonly T[], query: PageQuery): Paged<T> {
  const { after, before } = readEach({
    after: () => parseKeyCursor("after", query.after),
    before: () => parseKeyCursor("before", query.before),
  });
  const limit = parseLimit(query.limit);
  const between = sorted.filter(
    ({ key }) => (after === undefined || key > after) && (before === undefined || key < before),
  );
  // With `before` alone the page ends just before the cursor.
  const items = before !== undefined && after === undefined ? between.slice(-limit) : between.slice(0, limit);
  return { totalCount: sorted.length, items };
}

/** The body of a paginated answer. `cursor` returns an item's cursor. */
export function pageBody<T>(page: Paged<T>, cursor: (item: T) => string, view: (item: T) => object): object {
  const first = page.items[0];
  const last = page.items.at(-1);
  return {
    page_info: {
      total_count: page.totalCount,
      count: page.items.length,
      start_cursor: first === undefined ? "" : cursor(first),
      end_cursor: last === undefined ? "" : cursor(last),
    },
    data: page.items.map(view),
  };
}

/** 200 with one page of a list. */
export const pageAnswer = <T>(page: Paged<T>, cursor: (item: T) => string, view: (item: T) => object): Answer =>
  jsonAnswer(200, pageBody(page, cursor, view));

/** As `pageAnswer`, for items that contain a `JsonText`. */
export const textPageAnswer = <T>(page: Paged<T>, cursor: (item: T) => string, view: (item: T) => object): Answer =>
  jsonTextAnswer(200, pageBody(page, cursor, view));

/** The cursor of an item other than an event. */
export const idCursor = ({ id }: { readonly id: string }): string => formatCursor(id);

/** The cursor of an event: its id. */
export const eventCursor = ({ id }: { readonly id: EventId }): string => id;
