import { expect, test } from "vitest";

import { withoutHolds } from "./thread-holds.ts";

const text = (ms: number): string => `19:42:33 warn: the main thread was held  work: start  duration_ms: ${ms}\n`;
const json = (ms: number): string =>
  `{"work":"start","duration_ms":${ms},"level":"warn","message":"the main thread was held"}\n`;

test.each([
  ["a short hold", text(250), ""],
  ["a short hold as JSON", json(999), ""],
  ["a long hold", text(1_000), text(1_000)],
  ["a long hold as JSON", json(20_000), json(20_000)],
  ["a short hold between others", `one\n\n${json(300)}two`, "one\n\ntwo"],
  ["a long hold beside a short one", text(300) + text(3_000), text(3_000)],
  ["nothing of it", "x: duration_ms: 3\n\n", "x: duration_ms: 3\n\n"],
])("of %s remains what tests fail for", (_, printed, remaining) => {
  expect(withoutHolds(printed)).toBe(remaining);
});
