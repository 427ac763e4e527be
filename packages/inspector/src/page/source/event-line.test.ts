import { expect, test } from "vitest";

import { eventLine } from "./event-line.ts";

const base = { id: "7-0", indexed_at_ms: 7 };

test("an event is one line with its id, the time it was stored and the event", () => {
  const metadata = { emit_id: "e", name: "refunds", emitter_id: "dc_1", id: "o-1", summary: "Two\nlines" };
  expect(eventLine({ ...base, event: { text: "a\nb" }, metadata })).toBe(
    '{"id":"7-0","ts":7,"event":{"text":"a\\nb"},"metadata":{"name":"refunds","id":"o-1","summary":"Two\\nlines"}}\n',
  );
});

test("what the component did not give is left out, and null stays", () => {
  const metadata = { emit_id: "e", name: "", emitter_id: "dc_1" };
  expect(eventLine({ ...base, event: null, metadata })).toBe(
    '{"id":"7-0","ts":7,"event":null,"metadata":{"name":""}}\n',
  );
});
