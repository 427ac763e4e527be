import { expect, test } from "vitest";

import { progressLine } from "./package-progress.ts";

test("an installation has a line when packages are looked up, and one when they are fetched", () => {
  const requested = ["axios", "lodash@^4.0.0", "qs", "uuid", "ms"];
  const lines = [
    progressLine({ phase: "resolving", requested, done: 0, total: 0 }),
    progressLine({ phase: "fetching", requested: ["axios"], done: 0, total: 12 }),
    progressLine({ phase: "fetching", requested: ["axios"], done: 1, total: 12 }),
    progressLine({ phase: "installed", requested: ["axios"], done: 12, total: 12 }),
  ];
  expect(lines).toEqual([
    "npm packages: looking up axios, lodash@^4.0.0, qs and 2 more",
    "npm packages: fetching 12 for axios",
    undefined,
    undefined,
  ]);
});
