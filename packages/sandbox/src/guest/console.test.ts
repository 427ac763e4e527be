import { format } from "node:util";
import { runInThisContext } from "node:vm";

import { afterAll, beforeAll, expect, test } from "vitest";

import type { Sandbox } from "../contract.ts";
import { openSandbox, runBody, tryComponent } from "../sandbox.cases.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

/** Arguments as source text, so that both sides evaluate the same. */
const lines = [
  `"plain"`,
  `"a", "b", 1, true, null, undefined`,
  `1`,
  `-0`,
  `NaN, Infinity`,
  `5n`,
  `""`,
  `"", "x"`,
  `"%s", "text"`,
  `"%s %s", "one"`,
  `"%s", "one", "two", 3`,
  `"%s|%s|%s|%s", 1, -0, true, null`,
  `"%s %s", undefined, 5n`,
  `"%d %d %d", 1.5, "2", "x"`,
  `"%d", 5n`,
  `"%i %i %i", 1.9, "2.7", "x"`,
  `"%f %f", 1.5, "2.25px"`,
  `"%j", { a: [1] }`,
  `"%j %j", "x", undefined`,
  `"%%"`,
  `"%%", 1`,
  `"100%", 1`,
  `"%x", 1`,
  `"%c styled", "color: red"`,
  `"%", "x"`,
  `"a%sb%sc", 1`,
  `1, "%s", 2`,
  `"%s", Symbol("s")`,
  `"é€😀"`,
  `"line\\nbreak"`,
  `["a", 1]`,
  `{ a: 1, b: "x" }`,
  `{ a: { b: { c: 1 } } }`,
  `[]`,
  `{}`,
  `[[1, 2], []]`,
  `{ "needs-quotes": 1, 2: "two" }`,
  `["it's"]`,
  `new Map([["a", 1]])`,
  `new Set([1, "x"])`,
  `new Date(0)`,
  `{ at: new Date(0) }`,
  `/re/g`,
  `[undefined, null, -0, 5n]`,
  `{ f() {} }`,
  `() => 1`,
  `function named() {}`,
  `class A {}`,
  `new (class Point { x = 1 })()`,
  `Object.create(null)`,
  `Symbol("s")`,
  `"%o is not the same as %O", 1, 2`,
];

test("console writes the text of Node's format", async () => {
  const { logs, outcome } = await tryComponent(
    sandbox,
    runBody(lines.map((line) => `console.log(${line});`).join("\n")),
  );
  expect(outcome.status).toBe("ok");
  const expected = lines.map((line) => format(...(runInThisContext(`[${line}]`) as unknown[])));
  expect(Object.fromEntries(lines.map((line, index) => [line, logs[index]?.msg]))).toEqual(
    Object.fromEntries(lines.map((line, index) => [line, expected[index]])),
  );
});
