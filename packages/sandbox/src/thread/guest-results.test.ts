import { expect, test } from "vitest";

import { readModuleResult } from "./guest-results.ts";

const described = (item: string, count: number): string =>
  JSON.stringify({ json: `{"props":[${`${item},`.repeat(count)}0]}` });

test.each(["[]", "{}", '{"a":1}'])(
  "a description of more than 200,000 of %s is refused, as the host parses it",
  (item) => {
    expect(readModuleResult(described(item, 150_000)).error).toBeUndefined();
    expect(readModuleResult(described(item, 250_000)).error?.message).toContain("at most 200,000 objects and lists");
  },
);

test("a description that is longer than 8 MiB is refused", () => {
  const json = JSON.stringify("x".repeat(8 * 1024 * 1024));
  expect(readModuleResult(JSON.stringify({ json })).error?.message).toContain("8388608 characters of JSON");
});
