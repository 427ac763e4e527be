import { expect, test } from "vitest";

import { checkNesting } from "./checked-nesting.ts";
import { findNestingProblem, nestingLimits } from "./nesting.ts";

test("a division that looks like a regular expression opens no bracket", () => {
  const code = `let i = 1;\nlet n;\n${'n = i++ / 2 + ")/(";\n'.repeat(nestingLimits.brackets + 1)}`;
  expect(findNestingProblem(code)?.message).toContain("brackets");
  expect(checkNesting(code)).toBeUndefined();
});

test.each([
  ["brackets", `${"[".repeat(50_000)}${"]".repeat(50_000)}`],
  ["functions", `${"(() => ".repeat(nestingLimits.functions + 1)}1${")".repeat(nestingLimits.functions + 1)}`],
  ["functions", `const a = \n// a comment\n${"function f() {".repeat(300)}${"}".repeat(300)}`],
])("%s that nest too deeply are refused with their place", (what, code) => {
  const problem = checkNesting(code);
  expect(problem?.message).toContain(what);
  expect(problem?.at).toBeGreaterThan(0);
});
