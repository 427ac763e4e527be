import { expect, test } from "vitest";

import { selectFields } from "./fields.ts";

const source = {
  id: "dc_1",
  name: "orders",
  configured_props: { url: "https://example.test", timer: { cron: null, interval_seconds: 60 } },
  list: [
    { name: "a", type: "string" },
    { name: "b", type: "integer" },
  ],
};

test("without include and exclude every field is shown", () => {
  expect(selectFields(source, {})).toEqual(source);
  expect(selectFields(source, { include: "", exclude: " , " })).toEqual(source);
});

test("include keeps the named fields and the id", () => {
  expect(selectFields(source, { include: "name" })).toEqual({ id: "dc_1", name: "orders" });
});

test("exclude drops fields after include, the id only by name", () => {
  expect(selectFields(source, { include: "name,list", exclude: "list" })).toEqual({ id: "dc_1", name: "orders" });
  expect(selectFields(source, { include: "name", exclude: "id" })).toEqual({ name: "orders" });
});

test("dotted names select fields of objects and of list items", () => {
  expect(selectFields(source, { include: "configured_props.timer" })).toEqual({
    id: "dc_1",
    configured_props: { timer: { cron: null, interval_seconds: 60 } },
  });
  expect(selectFields(source, { include: "list,list.name" })).toMatchObject({ list: [{ name: "a" }, { name: "b" }] });
  expect(selectFields(source, { exclude: "configured_props.url,list.type" })).toEqual({
    id: "dc_1",
    name: "orders",
    configured_props: { timer: { cron: null, interval_seconds: 60 } },
    list: [{ name: "a" }, { name: "b" }],
  });
});

test("unknown names and names of the prototype are ignored", () => {
  expect(selectFields(source, { include: "nope,__proto__,constructor.name" })).toEqual({ id: "dc_1" });
  const hostile = JSON.parse('{"id":"x","__proto__":{"admin":true}}') as object;
  const kept = selectFields(hostile, { exclude: "nope" });
  expect(Object.keys(kept)).toEqual(["id", "__proto__"]);
  expect("admin" in kept).toBe(false);
});
