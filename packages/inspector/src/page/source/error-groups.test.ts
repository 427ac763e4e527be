import { expect, test } from "vitest";

import { type ErrorRecord, groupErrors } from "./error-groups.ts";

const record = (msg: string, line = 1): ErrorRecord => ({
  original_event: null,
  original_context: { id: "", source_type: "MANUAL" },
  error: { code: "Error", cellId: "c_run", msg, stack: `Error: ${msg}\n    at run (a.js:${line}:1)` },
});
const stored = (id: number, event: unknown) => ({
  id: `${id}-0`,
  indexed_at_ms: id,
  event,
  metadata: { emit_id: "", name: "$errors", emitter_id: "" },
});

test("errors are grouped by name, place and message without its numbers; the newest group is first", () => {
  const events = [
    stored(4, record("no order 7")),
    stored(3, record("other")),
    stored(2, record("no order 12")),
    stored(1, record("other", 9)),
  ];
  expect(groupErrors(events).map(({ newest, records }) => [newest.error.msg, records.map(({ at }) => at)])).toEqual([
    ["no order 7", [4, 2]],
    ["other", [3]],
    ["other", [1]],
  ]);
});

test("records that are no errors are left out", () => {
  expect(groupErrors([stored(1, undefined), stored(2, { a: 1 })])).toEqual([]);
});
