import { describe, expect, test } from "vitest";

import { componentEmits } from "./component-emits.ts";

const order = {
  type: "object",
  properties: { id: { type: "string" }, total: { $ref: "#/$defs/money" } },
  required: ["id"],
  $defs: { money: { type: "number", minimum: 0 } },
};

const nothing = { shape: {}, warnings: [] };

describe("the schema of a component's events", () => {
  test.each([
    order,
    { ...order, $schema: "https://json-schema.org/draft/2020-12/schema" },
    { type: ["string", "null"] },
    { anyOf: [{ type: "string" }, { $ref: "#" }] },
    { enum: ["a", 1] },
  ])("is what emits declares: %j", (emits) => {
    expect(componentEmits({ emits, sampleEmit: 1 })).toEqual({
      shape: { emits: { schema: emits, from: "emits" } },
      warnings: [],
    });
  });

  test.each([undefined, null, {}, "text"])("is inferred from sampleEmit beside %j", (emits) => {
    expect(componentEmits({ emits, sampleEmit: { id: 1 } })).toMatchObject({
      warnings: [],
      shape: {
        emits: {
          schema: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
          from: "sampleEmit",
        },
      },
    });
  });

  test("is unknown without both, and for a long sampleEmit", () => {
    expect(componentEmits({})).toEqual(nothing);
    expect(componentEmits({ sampleEmit: "x".repeat(70_000) })).toEqual(nothing);
    expect(componentEmits({ sampleEmit: { $function: true } })).toEqual(nothing);
  });

  test("a value that is no schema gets a warning", () => {
    expect(componentEmits({ emits: { id: "", total: 0 } })).toEqual({
      shape: {},
      warnings: [
        {
          rule: "emits-no-schema",
          path: "/emits",
          message: expect.stringMatching(/^emits is no JSON Schema/) as string,
        },
      ],
    });
  });

  test.each([
    [
      "/emits/properties/id/type",
      { type: "object", properties: { id: { type: "strng" } } },
      /^emits\.properties\.id\.type must be/,
    ],
    ["/emits/required", { type: "object", required: "id" }, /^emits\.required must be array, so nothing is known/],
    [
      "/emits/items/$ref",
      { type: "array", items: { $ref: "#/$defs/none" } },
      /leads to no schema.*got "#\/\$defs\/none"/,
    ],
    ["/emits/$ref", { $ref: "https://example.com/order.json" }, /leads to no schema/],
    ["/emits/$ref", { $ref: "#/%" }, /leads to no schema/],
    ["/emits/pattern", { type: "string", pattern: "(" }, /is no regular expression: "\("/],
    ["/emits/default", { type: "string", default: { $function: true } }, /must be JSON, got a function/],
    ["/emits", { type: "string", description: "x".repeat(70_000) }, /at most 65536 bytes of JSON, got 7\d{4},/],
    [
      "/emits",
      JSON.parse(`${'{"type":"array","items":'.repeat(100)}{}${"}".repeat(100)}`) as object,
      /deeper than 64 levels/,
    ],
  ])("a schema that is wrong at %s gets a warning", (path, emits, message) => {
    expect(componentEmits({ emits, sampleEmit: 1 })).toEqual({
      shape: {},
      warnings: [{ rule: "emits-invalid", path, message: expect.stringMatching(message) as string }],
    });
  });
});
