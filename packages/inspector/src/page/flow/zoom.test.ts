import { expect, test } from "vitest";

import { fitScale } from "./zoom.ts";

test("a drawing fits by its longer side, is not enlarged, and stays visible", () => {
  const frame = { width: 400, height: 300 };
  expect(fitScale({ width: 800, height: 300 }, frame)).toBe(0.5);
  expect(fitScale({ width: 400, height: 600 }, frame)).toBe(0.5);
  expect(fitScale({ width: 100, height: 100 }, frame)).toBe(1);
  expect(fitScale({ width: 100_000, height: 100 }, frame)).toBe(0.2);
  expect(fitScale({ width: 800, height: 300 }, { width: 0, height: 0 })).toBe(1);
});
