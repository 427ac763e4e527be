import { expect, test } from "vitest";

import { schemaFields } from "./schema-fields.ts";

test("a schema is shown as its fields, with those of objects in lists", () => {
  const line = { type: "object", properties: { sku: { type: "string" } } };
  expect(
    schemaFields({
      type: "object",
      properties: {
        id: { type: "string" },
        total: { type: ["number", "null"] },
        kind: { enum: ["new", 1] },
        lines: { type: "array", items: line },
        to: { type: "object", properties: { name: {} }, required: ["name"] },
        parent: { anyOf: [{ $ref: "#" }, { type: "null" }] },
        other: { $ref: "#/$defs/money" },
      },
      required: ["id", "lines"],
    }),
  ).toEqual([
    { path: "id", type: "string", isRequired: true },
    { path: "total", type: "number or null", isRequired: false },
    { path: "kind", type: '"new" or 1', isRequired: false },
    { path: "lines", type: "array", isRequired: true },
    { path: "lines[]", type: "object", isRequired: true },
    { path: "lines[].sku", type: "string", isRequired: false },
    { path: "to", type: "object", isRequired: false },
    { path: "to.name", type: "any", isRequired: true },
    { path: "parent", type: "the same or null", isRequired: false },
    { path: "other", type: "money", isRequired: false },
  ]);
});

test("an event that is no object is one field; a large schema is cut", () => {
  expect(schemaFields({ type: "string" })).toEqual([{ path: "", type: "string", isRequired: true }]);
  expect(schemaFields({})).toEqual([{ path: "", type: "any", isRequired: true }]);
  const properties = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`m${index}`, {}]));
  expect(schemaFields({ type: "object", properties })).toHaveLength(200);
});
