import { expect, test } from "vitest";

import { parseRoute } from "./route-pattern.ts";

const matched = (route: string, method: string, url: string): object | undefined =>
  parseRoute(route, false).match(method, url);

test("a route without a query matches any query, one with a query exactly that, in any order", () => {
  expect(matched("GET https://a.test/items", "GET", "https://a.test/items?page=1")).toEqual({});
  expect(matched("GET https://a.test/items?a=1&b=2", "GET", "https://a.test/items?b=2&a=1")).toEqual({});
  expect(matched("GET https://a.test/items?a=1", "GET", "https://a.test/items?a=2")).toBeUndefined();
  expect(matched("GET https://a.test/items?a=1", "GET", "https://a.test/items")).toBeUndefined();
});

test("`:name` matches a segment of the path, `*` any text, a method `*` any method", () => {
  expect(matched("GET https://a.test/items/:id", "GET", "https://a.test/items/7")).toEqual({ id: "7" });
  expect(matched("GET https://a.test/items/:id", "GET", "https://a.test/items/7/more")).toBeUndefined();
  expect(matched("GET https://a.test/items/*", "GET", "https://a.test/items/7/more")).toEqual({});
  expect(matched("* https://*.test/x", "DELETE", "https://a.test/x")).toEqual({});
  expect(matched("GET https://*.test/x", "GET", "https://a.test.evil/x")).toBeUndefined();
  expect(matched("GET https://a.test:8443/x", "GET", "https://a.test:8443/x")).toEqual({});
  expect(matched("GET /x", "GET", "https://anywhere.test/x")).toEqual({});
});

test("URLs are normalized before they are compared", () => {
  expect(matched("get HTTPS://A.test:443/x", "GET", "https://a.test/x")).toEqual({});
  expect(matched("GET https://a.test", "GET", "https://a.test/")).toEqual({});
  expect(matched("GET https://a.test/a+b(c)", "GET", "https://a.test/a+b(c)")).toEqual({});
  expect(matched("GET https://a.test/x", "POST", "https://a.test/x")).toBeUndefined();
});

test("a malformed route is refused with an example", () => {
  for (const bad of ["https://a.test/x", "GET", "GET ftp://a.test/", "GET /x"])
    expect(() => parseRoute(bad)).toThrow('such as "GET https://api.example.test/items"');
});
