import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { compareRatios, type Ratios } from "../bench/compare.ts";

test("a ratio that is more than half worse than the baseline is a warning", () => {
  expect(compareRatios({ same: 2, better: 1, worse: 3.2, edge: 3 }, { same: 2, better: 2, worse: 2, edge: 2 })).toEqual(
    [
      "same: 2.00, 1.00 x the baseline of 2.00",
      "better: 1.00, 0.50 x the baseline of 2.00",
      "warning: worse: 3.20, 1.60 x the baseline of 2.00",
      "edge: 3.00, 1.50 x the baseline of 2.00",
    ],
  );
});

test("a ratio that is not measured, or not in the baseline, is a warning", () => {
  expect(compareRatios({ broken: Number.NaN, fresh: 1 }, { broken: 1, gone: 1 })).toEqual([
    "warning: broken: NaN, NaN x the baseline of 1.00",
    "warning: fresh: 1.00, not in the baseline",
    "warning: gone: in the baseline, but not measured",
  ]);
});

test("the baseline has positive ratios", () => {
  const baseline = JSON.parse(readFileSync(new URL("../bench/baseline.json", import.meta.url), "utf8")) as Ratios;
  expect(Object.keys(baseline).length).toBeGreaterThan(5);
  for (const ratio of Object.values(baseline)) expect(ratio).toBeGreaterThan(0);
});
