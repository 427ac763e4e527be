import { expect, test } from "vitest";

import { createEventCheck } from "./event-check.ts";

const check = createEventCheck({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: { id: { type: "string", format: "uuid" }, total: { $ref: "#/$defs/money" } },
  required: ["id"],
  $defs: { money: { type: "number" } },
});

test.each([
  [{ id: "A-1" }, undefined],
  [{ id: "A-1", total: 5, more: true }, undefined],
  [{ id: "A-1", total: "5" }, "/total must be number"],
  [{}, "it must have required property 'id'"],
  [null, "it must be object"],
])("the check of %j says %s", (event, problem) => {
  expect(check(event)).toBe(problem);
});
