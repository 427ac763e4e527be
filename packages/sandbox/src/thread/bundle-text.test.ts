import { expect, test } from "vitest";

import { bundleText, createBundleStack } from "./bundle-text.ts";

/** The location that the engine reports for a text. */
function locationIn(text: string, wanted: string, length: (line: string) => number): string {
  const lines = text.slice(0, text.indexOf(wanted)).split("\n");
  return `bundle.js:${lines.length}:${length(lines.at(-1) ?? "") + 1}`;
}
const units = (line: string): number => line.length;
const characters = (line: string): number => Array.from(line).length;

const code = `"😀é"; first("😀😀"); last();\n"é"; second();\n\n"😀"; /*👩‍🚀*/ third();`;

test.each(["first(", "last(", "second(", "third("])("a location is that of the bundle, in units: %s", (wanted) => {
  const expected = `at f (${locationIn(code, wanted, units)})`;
  const reported = (length: (line: string) => number): string =>
    `at f (${locationIn(bundleText(code), wanted, length)})`;
  expect(createBundleStack(code, "characters")(reported(characters))).toBe(expected);
  expect(createBundleStack(code, "units")(reported(units))).toBe(expected);
});

test("a location beyond the bundle stays as it is", () => {
  expect(createBundleStack(code, "characters")("bundle.js:99:7 bundle.js:1:1 x.js:1:70")).toBe(
    "bundle.js:99:7 bundle.js:1:1 x.js:1:70",
  );
});
