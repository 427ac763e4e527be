import type { EventSummary } from "@x/client";
import { expect, test } from "vitest";

import { matchesEvent, parseEventFilter } from "./event-filter.ts";

const event = (payload: EventSummary["event"], metadata: Partial<EventSummary["metadata"]> = {}): EventSummary => ({
  id: "1700000000000-0",
  indexed_at_ms: 1_700_000_000_000,
  metadata: { emit_id: "", name: "", emitter_id: "dc_1", ...metadata },
  ...(payload !== undefined && { event: payload }),
});
const finds = (search: string, payload: EventSummary["event"], metadata = {}): boolean =>
  matchesEvent(parseEventFilter(search), event(payload, metadata));

test("a pointer and a value are one search, anything else is a text", () => {
  expect(parseEventFilter("/a~1b/c~0d/0=x=y")).toEqual({
    kind: "value",
    q: "/a~1b/c~0d/0=x=y",
    members: ["a/b", "c~d", "0"],
    wanted: "x=y",
  });
  expect(parseEventFilter(" Order 7 ")).toEqual({ kind: "text", text: "order 7" });
  for (const text of ["/status", "status=open", "a/b=c"]) expect(parseEventFilter(text).kind).toBe("text");
});

test("a value is found where the pointer leads, as text and as JSON", () => {
  const order = { status: "open", total: 12, lines: [{ sku: "A" }], paid: false, note: null, "a/b": 1, "": "empty" };
  for (const search of [
    "/status=open",
    '/status="open"',
    "/total=12",
    "/lines/0/sku=A",
    '/lines=[{"sku":"A"}]',
    "/paid=false",
    "/note=null",
    "/a~1b=1",
    "/=empty",
  ])
    expect(finds(search, order), search).toBe(true);
  for (const search of [
    "/status=Open",
    "/status=",
    "/gone=undefined",
    "/lines/00/sku=A",
    "/lines/length=1",
    "/total/x=1",
  ])
    expect(finds(search, order), search).toBe(false);
  expect(finds("/toString=x", {})).toBe(false);
  expect(finds("/a=1", undefined)).toBe(false);
});

test("a text is found in the payload, the summary, the dedupe id and the id, in any case", () => {
  for (const search of ["ada", '"buyer":"ada', "paid by", "A-7", "1700000000000", "", "  "])
    expect(finds(search, { buyer: "Ada" }, { summary: "Paid by card", id: "a-7" }), search).toBe(true);
  expect(finds("grace", { buyer: "Ada" })).toBe(false);
  expect(finds("x", undefined)).toBe(false);
});
