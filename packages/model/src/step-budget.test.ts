import { expect, it } from "vitest";

import { createBudget } from "./step-budget.ts";

it("gives steps until they are used up", () => {
  const budget = createBudget(10);
  expect(budget.take(4)).toBe(true);
  expect(budget.take(6)).toBe(true);
  expect(budget.take(0)).toBe(true);
  expect(budget.take(1)).toBe(false);
});

it("is used up for good by a request for too many steps", () => {
  const budget = createBudget(10);
  expect(budget.take(11)).toBe(false);
  expect(budget.take(1)).toBe(false);
  expect(budget.take(0)).toBe(false);
});
