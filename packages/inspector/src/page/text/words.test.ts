import { expect, it } from "vitest";

import { hasWords } from "./words.ts";

it("finds each word in one of the texts, in any case and order", () => {
  expect(hasWords(["Shop orders", null, "https://shop.test/"], " ORDERS  shop")).toBe(true);
  expect(hasWords(["Shop orders"], "orders refunds")).toBe(false);
  expect(hasWords(["Shop", "orders"], "shop orders")).toBe(true);
  expect(hasWords(["Shop"], "  ")).toBe(true);
});
