import { expect, test } from "vitest";

import { createWaits } from "./waits.ts";

test("refuses a wait that closes a cycle, however long", () => {
  const waits = createWaits();
  expect(waits.begin("a", "a")).toBeUndefined();
  const ended = waits.begin("a", "b");
  expect(waits.begin("b", "c")).toBeDefined();
  expect(waits.begin("c", "a")).toBeUndefined();
  expect(waits.begin("d", "a")).toBeDefined();
  ended?.();
  expect(waits.begin("c", "a")).toBeDefined();
});

test("several waits for the same source end separately, and once each", () => {
  const waits = createWaits();
  const [first, second] = [waits.begin("a", "b"), waits.begin("a", "b")];
  first?.();
  first?.();
  expect(waits.begin("b", "a")).toBeUndefined();
  second?.();
  expect(waits.begin("b", "a")).toBeDefined();
});
