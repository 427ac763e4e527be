import type { ComponentShape } from "@x/runtime";
import { expect, test } from "vitest";

import { shapeChanges } from "./shape-changes.ts";

const shape = (change: Partial<ComponentShape>): ComponentShape => ({
  name: "Feed",
  version: "0.1.0",
  props: [{ name: "url", type: "string" }],
  hooks: ["activate"],
  ...change,
});

test("each difference of a declaration is one line", () => {
  const after = shape({
    version: "0.2.0",
    dedupe: "unique",
    props: [
      { name: "url", type: "string", optional: true },
      { name: "token", type: "string" },
    ],
    hooks: ["deploy"],
  });
  expect(shapeChanges(shape({}), after)).toEqual([
    "version 0.1.0 → 0.2.0",
    "dedupe none → unique",
    "prop url changed",
    "prop token is new",
    "hook deploy is new",
    "hook activate is gone",
  ]);
  expect(shapeChanges(shape({}), shape({ props: [] }))).toEqual(["prop url is gone"]);
});

test("another code with the same declaration has no differences", () => {
  expect(shapeChanges(shape({}), shape({}))).toEqual([]);
});
