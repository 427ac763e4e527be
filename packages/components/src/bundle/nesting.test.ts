import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { checkNesting, findNestingProblem, nestingLimits } from "./nesting.ts";

const times = (text: string, count: number): string => text.repeat(count);

test.each([
  ["parentheses", `x = ${times("(", 5_000)}1${times(")", 5_000)}`, "brackets"],
  ["arrays", `x = ${times("[", 5_000)}${times("]", 5_000)}`, "brackets"],
  ["objects", `x = ${times("{a:", 5_000)}1${times("}", 5_000)}`, "brackets"],
  ["unfinished brackets", times("(", 5_000), "brackets"],
  ["brackets whose ends are hidden in comments", times("( /* ) */", 5_000), "brackets"],
  ["brackets whose ends are hidden in strings", times("(')',", 5_000), "brackets"],
  ["brackets whose ends are hidden in regular expressions", times("(/[)/]/,", 5_000), "brackets"],
  ["template substitutions", times("`${", 5_000), "brackets"],
  ["not", `x = ${times("!", 5_000)}1`, "unary operators"],
  ["minus with spaces", `x = ${times("- ", 5_000)}1`, "unary operators"],
  ["tilde with comments", `x = ${times("~/**/", 5_000)}1`, "unary operators"],
  ["function declarations", `${times("function f(){", 300)}${times("}", 300)}`, "functions"],
  ["function expressions", `x = ${times("function(){return ", 300)}${times("}", 300)}`, "functions"],
  ["arrow functions", `x = ${times("a=>", 300)}1`, "functions"],
  ["arrow functions over lines", `x = ${times("a=>\n", 300)}1`, "functions"],
  ["arrow functions with bodies", `x = ${times("(a) => { return ", 300)}1${times("}", 300)}`, "functions"],
  ["methods", `x = ${times("({ m() { return ", 300)}1${times("}})", 300)}`, "functions"],
])("a runaway nesting of %s is found", (_name, code, what) => {
  expect(findNestingProblem(code)?.message).toContain(`nests ${what} more than`);
});

test.each([
  ["many functions one after the other", times("const f = (a) => a.map((b) => b + 1);\n", 2_000)],
  ["many functions without semicolons", times("exports.f = a => a + 1\nconst g = () => ({ a })\n", 2_000)],
  ["many regular expressions with brackets", times("x = /\\(/.test(y) || /[(]/.test(z);\n", 2_000)],
  ["a regular expression after a condition", times("if (a) /(/.exec(b);\n", 2_000).replaceAll("/(/", "/\\(/")],
  ["divisions", times("x = (a + b) / 2 / (c[0] / 3);\n", 2_000)],
  ["strings and templates full of brackets", times("x = '(((' + \"[[[\" + `{{{ ${a ? `(${b}` : '('} `;\n", 2_000)],
  ["comments full of brackets", times("// (((((\n/* [[[[ */\n", 2_000)],
  ["sums", `x = 1${times(" + 1", 5_000)}`],
  ["counters", times("i++; --j; a - -b;\n", 2_000)],
  ["conditions one after the other", times("if (a) { b() } else ", 2_000)],
  ["an unfinished string, which the parser reports", "x = 'abc"],
])("ordinary code passes: %s", (_name, code) => {
  expect(findNestingProblem(code)).toBeUndefined();
});

test("nesting at the limit passes and one more does not", () => {
  const nested = (depth: number): string => times("[", depth) + times("]", depth);
  expect(findNestingProblem(nested(nestingLimits.brackets))).toBeUndefined();
  expect(findNestingProblem(nested(nestingLimits.brackets + 1))).toMatchObject({ at: nestingLimits.brackets });
});

test("large programs that people use pass", () => {
  for (const name of ["esbuild", "ajv", "@jridgewell/trace-mapping"]) {
    const text = readFileSync(new URL(import.meta.resolve(name)), "utf8");
    expect(findNestingProblem(text)).toBeUndefined();
  }
});

test.each(["(/[", "/*", "'\\", "`${", "a/[", "(/\\", "x=>/", "\n"])(
  "half a million characters of %j are read in one pass",
  (text) => {
    // Reading on from each of them again would take longer than a test may.
    for (const code of [times(text, 500_000 / text.length), times(`${text}1;`, 500_000 / (text.length + 2))])
      expect(() => findNestingProblem(code)).not.toThrow();
  },
);

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
