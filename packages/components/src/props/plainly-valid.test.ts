import { Ajv } from "ajv";
import { expect, test } from "vitest";

import { isGuestKind, isOneOf, isPlainlyValid, type Schema } from "./plainly-valid.ts";

const aFunction = { $function: true };
const texts = ["", "a", "sc_1", "\u{1F600}", "\u{1F600}\u{1F600}", "abc"];
const numbers = [0, 1, -1, 1.5, 1e300, 3];
const scalars: readonly unknown[] = [null, true, false, ...texts, ...numbers, aFunction, [], {}];
const values: readonly unknown[] = [
  ...scalars,
  ...scalars.map((each) => [each]),
  ...scalars.map((each) => ["a", each]),
  ...scalars.map((each) => ({ a: each })),
  ...scalars.flatMap((each) => ["", "x", {}].map((other) => ({ a: each, b: other }))),
  ...scalars.map((each) => ({ a: { a: each } })),
];

const leaves: readonly Schema[] = [
  {},
  { description: "anything" },
  { type: "string" },
  { type: "string", minLength: 1 },
  { type: "string", maxLength: 1 },
  { type: "string", pattern: "^(?!sc_)." },
  { type: "boolean" },
  { type: "number" },
  { type: "integer", minimum: 0, maximum: 1 },
  { type: "object", guest: "object" },
  { guest: "function" },
  { enum: ["a", 1, { a: 1 }, [true], null] },
  { minimum: 1 },
  { minLength: 2 },
];
const schemas: readonly Schema[] = [
  ...leaves,
  ...leaves.map((items) => ({ type: "array", items })),
  ...leaves.map((items) => ({ items })),
  ...leaves.map((a) => ({ type: "object", properties: { a, b: { type: "string" } }, required: ["a"] })),
  ...leaves.map((a) => ({ properties: { a: { type: "object", properties: { a }, required: ["a"] } } })),
];

test("what is plainly valid is what the library finds valid, for every keyword that is known", () => {
  const ajv = new Ajv({ ownProperties: true, meta: false, validateSchema: false, strict: false });
  ajv.addKeyword({ keyword: "guest", validate: isGuestKind });
  const wrong: string[] = [];
  let valid = 0;
  for (const schema of schemas) {
    const validate = ajv.compile(schema);
    for (const value of values) {
      const expected = validate(value);
      if (isPlainlyValid(schema, value) !== expected) wrong.push(JSON.stringify({ schema, value, expected }));
      if (expected) valid += 1;
    }
  }
  expect(wrong).toEqual([]);
  expect(valid).toBeGreaterThan(1_000);
  expect(valid).toBeLessThan(schemas.length * values.length);
});

test("what is not known is left to the library", () => {
  expect(isPlainlyValid({ type: "string", format: "date" }, "2026-01-01")).toBe(false);
  expect(isPlainlyValid({ type: ["string", "null"] }, "a")).toBe(false);
  expect(isPlainlyValid({ toString: 1 }, "a")).toBe(false);
});

test("a value is one of others when it is equal, whatever the order of its members", () => {
  const isKnown = isOneOf(["[1]", 0, null, [1], { a: { b: [1], c: 2 } }, { 2: 1, a: 1 }]);
  for (const value of ["[1]", 0, -0, null, [1], { a: { c: 2, b: [1] } }, { a: 1, 2: 1 }])
    expect(isKnown(value)).toBe(true);
  for (const value of [
    "0",
    1,
    false,
    "null",
    [],
    [[1]],
    ["1"],
    { a: {} },
    { a: { b: [1], c: 2 }, d: 1 },
    '{"2":1,"a":1}',
  ])
    expect(isKnown(value), JSON.stringify(value)).toBe(false);
});
