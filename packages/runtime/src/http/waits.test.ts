import { expect, test } from "vitest";

import { createWaits } from "./waits.ts";

test("a wait in a circle is none, however long the circle is", () => {
  const waits = createWaits();
  expect(waits.begin("a", "a")).toBeUndefined();
  const ended = waits.begin("a", "b");
  expect(waits.begin("b", "c")).toBeDefined();
  expect(waits.begin("c", "a")).toBeUndefined();
  expect(waits.begin("d", "a")).toBeDefined();
  ended?.();
  expect(waits.begin("c", "a")).toBeDefined();
});

test("of several waits for the same, each ends by itself and once", () => {
  const waits = createWaits();
  const [first, second] = [waits.begin("a", "b"), waits.begin("a", "b")];
  first?.();
  first?.();
  expect(waits.begin("b", "a")).toBeUndefined();
  second?.();
  expect(waits.begin("b", "a")).toBeDefined();
});
