import { expect, test } from "vitest";

import { isParsable } from "./json-parts.ts";

const list = (item: string, count: number): string => `[${`${item},`.repeat(count)}0]`;

test.each([
  ["lists", "[]", 199_998, 200_001],
  ["objects", "{}", 199_998, 200_001],
  ["objects with a member", '{"a":1}', 159_998, 160_001],
])("at most 200,000 %s", (_, item, fewer, more) => {
  expect(isParsable(list(item, fewer))).toBe(true);
  expect(isParsable(list(item, more))).toBe(false);
});

test("what is in texts does not count, nor do numbers", () => {
  for (const item of ['"[[[[{{{{::::"', String.raw`"\"[[[[\\"`, "1"])
    expect(isParsable(list(item, 400_000))).toBe(true);
  expect(isParsable(list("1", 400_000), 4)).toBe(false);
});

test("deep values count by their brackets", () => {
  expect(isParsable("[".repeat(200_000))).toBe(true);
  expect(isParsable("[".repeat(200_001))).toBe(false);
});
