import { expect, test } from "vitest";

import { printEventTypes } from "./event-types.ts";

test("a schema is printed with its definitions as types of their own", () => {
  const schema = {
    type: "object",
    properties: {
      id: { type: "string", description: "Of the shop." },
      "line-items": { type: "array", items: { $ref: "#/$defs/line item" } },
      parent: { anyOf: [{ $ref: "#" }, { type: "null" }] },
      total: { type: ["number", "null"] },
      kind: { enum: ["new", "gone"] },
      any: {},
      elsewhere: { $ref: "#/properties/id" },
    },
    required: ["id"],
    $defs: { "line item": { type: "object", properties: { sku: { type: "string" } }, required: ["sku"] } },
  };
  expect(printEventTypes([{ name: "acme-new-order", schema, from: "emits", events: 0 }])).toBe(`// Written by x types.

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Events of acme-new-order, as its component declares them. */
export type AcmeNewOrder = {
  /** Of the shop. */
  readonly id: string;
  readonly "line-items"?: readonly AcmeNewOrderLineItem[];
  readonly parent?: AcmeNewOrder | null;
  readonly total?: number | null;
  readonly kind?: "new" | "gone";
  readonly any?: Json;
  readonly elsewhere?: Json;
};
export type AcmeNewOrderLineItem = {
  readonly sku: string;
};
`);
});

test("several are printed with names of their own, and where each comes from", () => {
  const text = { type: "string" };
  expect(
    printEventTypes([
      { name: "feed", schema: text, from: "events", events: 12 },
      { name: "Feed", schema: text, from: "sampleEmit", events: 0 },
      { name: "7", schema: { enum: [] }, from: "emits", events: 0 },
      { name: "json", schema: {}, from: "events", events: 0 },
    ]),
  ).toBe(`// Written by x types.

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Events of feed, as its last 12 are. */
export type Feed = string;

/** Events of Feed, as the example of its component is. */
export type Feed2 = string;

/** Events of 7, as its component declares them. */
export type Event7 = never;

/** Events of json, of which nothing is known yet. */
export type Json2 = Json;
`);
});
