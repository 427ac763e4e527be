import { expect, test } from "vitest";

import { didYouMean } from "./did-you-mean.ts";

test.each([
  ["ulr", ["url", "timer"], ` (did you mean "url"?)`],
  ["Strings", ["string", "string[]"], ` (did you mean "string"?)`],
  ["intrval", ["intervals", "interval"], ` (did you mean "interval"?)`],
  ["board", ["url", "timer"], ""],
  ["x", [], ""],
])("%s among %j returns %j", (name, candidates, expected) => {
  expect(didYouMean(name, candidates)).toBe(expected);
});

test("very long names are not compared", () => {
  expect(didYouMean("a".repeat(100_000), ["a".repeat(100_001), "b"])).toBe("");
});
