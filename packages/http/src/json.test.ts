import { XError } from "@x/runtime";
import { expect, test } from "vitest";

import { parseJson } from "./json.ts";

const parse = (text: string): unknown => parseJson(new TextEncoder().encode(text));

test("JSON is parsed, and members named like prototype parts stay plain members", () => {
  expect(parse('{"a":[1,"[[["],"b":"\\"{"}')).toEqual({ a: [1, "[[["], b: '"{' });
  const hostile = parse('{"__proto__":{"polluted":true},"constructor":1}');
  expect(Object.keys(Object(hostile))).toEqual(["__proto__", "constructor"]);
  expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
});

test("nesting is limited", () => {
  expect(parse("[".repeat(256) + "]".repeat(256))).toBeInstanceOf(Array);
  expect(() => parse("[".repeat(257) + "]".repeat(257))).toThrow("deeper than 256");
  expect(() => parse("[".repeat(500_000))).toThrow("deeper than 256");
});

test("what is not JSON is refused without quoting it", () => {
  for (const text of ["{", "nul", "{'a':1}", '{"a":1,}', "NaN", "secret-token"]) {
    expect(() => parse(text), text).toThrow(XError);
  }
  expect(() => parse("secret-token")).not.toThrow("secret-token");
  expect(() => parseJson(Uint8Array.of(0x22, 0xff, 0x22))).toThrow("UTF-8");
});

const around = (number: string): string[] => [
  number,
  `[0,${number}]`,
  `{"a":[{"b":${number}}]}`,
  `["1e999",${number}]`,
];

test("numbers beyond JavaScript's are refused wherever they are, and the same digits in a string are not", () => {
  for (const text of ["1e308", "9".repeat(299), "9".repeat(308)].flatMap(around))
    expect(parse(text)).toEqual(JSON.parse(text));
  for (const text of ["1E+309", "-1e400", "1.5e400", "9".repeat(310)].flatMap(around))
    expect(() => parse(text), text).toThrow("beyond");
  expect(parse(JSON.stringify(["1e999", "9".repeat(400)]))).toEqual(["1e999", "9".repeat(400)]);
});
