import { expect, test } from "vitest";

import { findNodeProblem } from "./node-version.ts";
import { readNodeRange } from "./version.ts";

test("a Node that is too old is told with the one that is needed", () => {
  expect(findNodeProblem("20.20.2", ">=22.22.2")).toMatch(
    /^error: x needs Node 22\.22\.2 or newer, .* Node 20\.20\.2;/,
  );
  for (const old of ["22.22.1", "22.9.9", "9.99.99"]) expect(findNodeProblem(old, ">=22.22.2")).toContain(old);
  for (const good of ["22.22.2", "22.100.0", "24.0.0"]) expect(findNodeProblem(good, ">=22.22.2")).toBeUndefined();
  expect(readNodeRange()).toMatch(/^>=\d+\.\d+\.\d+$/);
});
