import { expect, it } from "vitest";

import { effectiveComponent } from "./effective-component.ts";
import type { Component } from "./model.ts";

const component: Component = {
  id: "sc_1",
  userId: "u_1",
  texts: { code: "", bundle: "", sourceMap: "" },
  codeHash: "",
  contentHash: "",
  componentUrl: null,
  shape: {
    name: "C",
    version: "1",
    props: [
      { name: "a", type: "string" },
      { name: "b", type: "integer" },
    ],
    hooks: [],
  },
  createdAt: 0,
  updatedAt: 0,
};

it("a component without dynamic props is returned unchanged", () => {
  expect(effectiveComponent(component)).toBe(component);
  expect(effectiveComponent(component, [])).toBe(component);
});

it("dynamic props replace declared ones, and the others follow in their order", () => {
  const dynamic = [
    { name: "d", type: "string" },
    { name: "a", type: "boolean" },
    { name: "c", type: "string" },
  ];
  const effective = effectiveComponent(component, dynamic);
  expect(effective.shape.props.map(({ name, type }) => `${name} ${type}`)).toEqual([
    "a boolean",
    "b integer",
    "d string",
    "c string",
  ]);
  expect(effectiveComponent(effective, dynamic)).toEqual(effective);
  expect(component.shape.props).toHaveLength(2);
});
