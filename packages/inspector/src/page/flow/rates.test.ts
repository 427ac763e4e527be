import { expect, test } from "vitest";

import { createRates } from "./rates.ts";

test("a count stays for a minute", () => {
  const rates = createRates();
  rates.add("a", 2, 1_000_000);
  rates.add("a", 1, 1_030_000);
  expect(rates.perMinute("a", 1_030_000)).toBe(3);
  expect(rates.perMinute("a", 1_059_999)).toBe(3);
  expect(rates.perMinute("a", 1_065_000)).toBe(1);
  expect(rates.perMinute("a", 9_000_000)).toBe(0);
  rates.add("a", 5, 8_900_000);
  expect(rates.perMinute("a", 9_000_000)).toBe(0);
  expect(rates.perMinute("b", 1_000_000)).toBe(0);
});
