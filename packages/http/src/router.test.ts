import { expect, test } from "vitest";

import { createRouter, type Routed } from "./router.ts";

const route = (method: string, path: string): Routed => ({ method, path });

const find = createRouter("/v1", [
  route("GET", "/components/:key"),
  route("POST", "/components/configure"),
  route("GET", "/sources/:id"),
  route("DELETE", "/sources/:id"),
  route("GET", "/sources/:id/$errors/event_summaries"),
]);

test("a path is found with its parameters, with one trailing slash or none", () => {
  expect(find("GET", "/v1/sources/dc_1")).toMatchObject({ route: { path: "/sources/:id" }, params: { id: "dc_1" } });
  expect(find("GET", "/v1/sources/dc_1/")?.params).toEqual({ id: "dc_1" });
  expect(find("HEAD", "/v1/sources/dc_1")?.route?.method).toBe("GET");
});

test("percent encoding is decoded within a segment only", () => {
  expect(find("GET", "/v1/components/a%2Fb%20c")?.params).toEqual({ key: "a/b c" });
  expect(find("GET", "/v1/components/%3Aid*%25")?.params).toEqual({ key: ":id*%" });
  for (const segment of ["$errors", "%24errors", "%24%65rrors"]) {
    const match = find("GET", `/v1/sources/dc_1/${segment}/event_summaries`);
    expect(match?.route?.path, segment).toBe("/sources/:id/$errors/event_summaries");
  }
});

test("an unknown path is distinguished from an unknown method", () => {
  for (const path of ["/", "/v1", "/sources/dc_1", "/v2/sources/dc_1", "/v1//sources/dc_1", "/v1/sources", "/v1/%ZZ"]) {
    expect(find("GET", path), path).toBeUndefined();
  }
  expect(find("PUT", "/v1/sources/dc_1")).toMatchObject({ route: undefined, allowed: ["GET", "HEAD", "DELETE"] });
});

test("a literal path takes precedence over a parameter, per method", () => {
  expect(find("POST", "/v1/components/configure")?.route?.path).toBe("/components/configure");
  expect(find("GET", "/v1/components/configure")?.route?.path).toBe("/components/:key");
  expect(find("PUT", "/v1/components/configure")?.allowed).toEqual(["POST", "GET", "HEAD"]);
});

test("two routes for one method and path throw", () => {
  expect(() => createRouter("/v1", [route("GET", "/a"), route("GET", "/a")])).toThrow("Two routes");
});
