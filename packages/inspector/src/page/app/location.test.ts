import { expect, test } from "vitest";

import { matchPath, parseLocation } from "./location.ts";

test("a hash has a path and a query", () => {
  const { path, query } = parseLocation("#/sources/dc_1/events?channel=a%20b&q=x?y");
  expect([path, query.get("channel"), query.get("q")]).toEqual(["/sources/dc_1/events", "a b", "x?y"]);
  expect(parseLocation("").path).toBe("/");
});

test("patterns match whole paths, and their last part may be optional", () => {
  expect(matchPath("/sources", "/sources")).toEqual({});
  expect(matchPath("/sources", "/sources/dc_1")).toBeUndefined();
  expect(matchPath("/sources/:id/:tab?", "/sources/dc_1")).toEqual({ id: "dc_1" });
  expect(matchPath("/sources/:id/:tab?", "/sources/dc_1/a%2Fb")).toEqual({ id: "dc_1", tab: "a/b" });
  expect(matchPath("/sources/:id/:tab?", "/sources")).toBeUndefined();
  expect(matchPath("/sources/:id", "/sources/%")).toEqual({ id: "%" });
});
