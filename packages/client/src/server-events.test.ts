import { expect, test } from "vitest";

import { createEventParser, type ServerEvent } from "./server-events.ts";

function eventsOf(...pieces: readonly string[]): { events: ServerEvent[]; waits: number[] } {
  const events: ServerEvent[] = [];
  const waits: number[] = [];
  const parse = createEventParser({ event: (event) => void events.push(event), retry: (ms) => void waits.push(ms) });
  for (const piece of pieces) parse(piece);
  return { events, waits };
}

const text =
  ': connected\nretry: 1000\n\nid: 1-0\ndata: {"a":1}\n\nevent: gap\ndata: x\ndata:y\n\n: beat\n\nid: 2-0\ndata\n\n';
const events = [
  { id: "1-0", name: "message", data: '{"a":1}' },
  { id: "1-0", name: "gap", data: "x\ny" },
  { id: "2-0", name: "message", data: "" },
];

test("events are the same whatever pieces the stream comes in", () => {
  expect(eventsOf(text)).toEqual({ events, waits: [1000] });
  expect(eventsOf(...Array.from(text))).toEqual({ events, waits: [1000] });
  expect(eventsOf(...Array.from(text.replaceAll("\n", "\r\n")))).toEqual({ events, waits: [1000] });
});

test("an event that is not complete is not given", () => {
  expect(eventsOf("data: half\n").events).toEqual([]);
});
