import { expect, test } from "vitest";

import type { Json } from "../model.ts";
import { inferSchema } from "./infer-schema.ts";

test.each<[string, Json[], object]>([
  ["nothing", [], {}],
  ["one type", ["a", "b"], { type: "string" }],
  ["several types, integers among numbers", [1, 1.5, null, "a"], { type: ["null", "number", "string"] }],
  ["integers", [1, 2], { type: "integer" }],
  ["an empty array", [[]], { type: "array" }],
  ["items of all arrays", [[1], ["a"], []], { type: "array", items: { type: ["integer", "string"] } }],
  ["an empty object", [{}], { type: "object", properties: {} }],
  [
    "members that only some objects have",
    [{ id: 1, note: "n" }, { id: 2 }],
    { type: "object", properties: { id: { type: "integer" }, note: { type: "string" } }, required: ["id"] },
  ],
  [
    "objects in arrays",
    [[{ a: 1 }, { a: null }]],
    {
      type: "array",
      items: { type: "object", properties: { a: { type: ["null", "integer"] } }, required: ["a"] },
    },
  ],
])("infers %s", (_what, values, schema) => {
  expect(inferSchema(values)).toEqual(schema);
});

test("names of object members are members like others", () => {
  const value = JSON.parse('{"__proto__":1,"constructor":"a"}') as Json;
  const { properties, required } = inferSchema([value]);
  expect(Object.entries(properties ?? {})).toEqual([
    ["__proto__", { type: "integer" }],
    ["constructor", { type: "string" }],
  ]);
  expect(required).toEqual(["__proto__", "constructor"]);
});

test("deep, wide and large values give a bounded schema", () => {
  const deep = JSON.parse(`${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`) as Json;
  const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`m${index}`, index]));
  const large = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`m${index}`, wide]));
  expect(JSON.stringify(inferSchema([deep])).length).toBeLessThan(1_000);
  expect(Object.keys(inferSchema([wide])["properties"] ?? {})).toHaveLength(200);
  expect(JSON.stringify(inferSchema([large])).length).toBeLessThan(1_000_000);
});
