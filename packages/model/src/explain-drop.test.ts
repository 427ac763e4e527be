import { expect, test } from "vitest";

import { explainDrop } from "./explain-drop.ts";

test.each([
  ["duplicate", 'id "7" was emitted in an earlier run'],
  ["repeated_in_run", 'id "7" was emitted before in the same run'],
  ["not_greater", 'id "7" is not greater than "9", the greatest so far'],
  ["not_after_last", 'id "7" does not come after "9", the last id of the run before'],
  ["invalid_id", 'id "7" cannot be compared'],
] as const)("a drop as %s is a sentence", (reason, sentence) => {
  expect(explainDrop({ payload: "1", id: "7", reason, remembered: "9" })).toBe(sentence);
});
