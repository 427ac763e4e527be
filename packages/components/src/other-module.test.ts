import { expect, test } from "vitest";

import { componentProblems } from "./description.ts";

const run = { $function: true };
const component = { name: "A", version: "1", run };
const messageOf = (described: unknown): string => componentProblems(described)[0]?.message ?? "";

test("a module of actions, an app and a sample event are named in one sentence", () => {
  expect(messageOf({ create: component, list: { run } })).toBe(
    "The module exports components or actions in one object (create, list); give each a file of its own, with export default { … }",
  );
  expect(messageOf([component])).toMatch(/^The module exports components or actions in one object; give each/);
  expect(messageOf({ type: "app", app: "acme", methods: { get: run } })).toMatch(/^The module exports an app, which/);
  expect(messageOf({ id: 1, name: "An order", user: { id: 2 }, items: [], total: 1, currency: "EUR" })).toBe(
    "The module exports data without any function (id, name, user, items, total, …), such as a sample event; a component is export default { name, version, run() { … } }",
  );
  expect(componentProblems({ id: 1 })).toHaveLength(1);
});

test("the problem of an incomplete component is what it lacks", () => {
  for (const lacking of [
    {},
    { name: "A", version: "1" },
    { name: "A", run },
    { key: "a", name: "A" },
    { props: {}, methods: { get: run } },
  ])
    expect(messageOf(lacking)).not.toContain("The module exports");
});
