import { expect, it } from "vitest";

import { jsonOf } from "./test-routes.ts";

const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

it("reads bodies as JSON up to a depth", () => {
  expect(jsonOf('{ "a": [1] }', "application/json")).toEqual({ a: [1] });
  expect(jsonOf(nested(256), undefined)).toBeDefined();
  for (const depth of [258, 8_000]) expect(jsonOf(nested(depth), undefined), String(depth)).toBeUndefined();
});
