import { expect, test } from "vitest";

import { type ErrorCode, errorCatalogue } from "./error-catalogue/catalogue.ts";
import { XError } from "./errors.ts";
import { readEach } from "./read-each.ts";

const refused = Object.entries(errorCatalogue).flatMap(([code, { status }]) =>
  status === 400 ? [code as ErrorCode] : [],
);

test.each(refused)("%s, a 400, lists its problem", (code) => {
  const { message, details } = new XError(code, ["name", "a text", "5"] as never);
  expect(details.errors).toHaveLength(1);
  expect(message).toContain(details.errors?.[0]?.message);
});

test("the problem of a parameter has its path, those that were listed stay", () => {
  const pathsOf = ({ details }: XError): unknown => details.errors?.map(({ path }) => path);
  expect(pathsOf(new XError("invalid_parameter", ["oauth.tokenUrl", "a URL", "5"]))).toEqual(["/oauth/tokenUrl"]);
  expect(pathsOf(new XError("missing_parameter", ["a/b~c", "a text"]))).toEqual(["/a~1b~0c"]);
  const details = { parameter: "url", host: "h" };
  expect(pathsOf(new XError("address_forbidden", ["h", "private"], { details }))).toEqual(["/url"]);
  const errors = [{ path: "/a", message: "is missing" }];
  expect(new XError("invalid_props", ["A", "a is missing"], { details: { errors } }).details).toEqual({ errors });
  expect(new XError("not_found", ["source", "dc_1"]).details).toEqual({});
});

test("readEach returns what each reader returns, or throws the first refusal with the problems of all", () => {
  expect(readEach({ a: () => 1, b: () => "two" })).toEqual({ a: 1, b: "two" });
  const refuse = (name: string) => (): never => {
    throw new XError("invalid_parameter", [name, "a text", "5"]);
  };
  const problem = (name: string): object => ({ path: `/${name}`, message: "must be a text" });
  expect(() => readEach({ a: refuse("a"), b: () => 1, c: refuse("c") })).toThrow(
    expect.objectContaining({
      code: "invalid_parameter",
      details: { parameter: "a", errors: ["a", "c"].map(problem) },
    }),
  );
  const other = new XError("not_found", ["source", "dc_1"]);
  const fail = (): never => {
    throw other;
  };
  expect(() => readEach({ a: refuse("a"), b: fail })).toThrow(other);
});
