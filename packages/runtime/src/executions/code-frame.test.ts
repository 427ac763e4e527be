import { expect, it } from "vitest";

import { findCodeFrame } from "./code-frame.ts";

const text = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`).join("\n");
const textOf = (file: string): string | undefined => (file === "a.js" ? text : undefined);

it("shows the lines around the first frame in a file of the author", () => {
  const stack = "Error: no\n    at parse (node_modules/p/index.js:3:1)\n    at run (a.js:9:3)\n    at other (a.js:1:1)";
  expect(findCodeFrame(stack, textOf)?.split("\n")).toEqual([
    "a.js:9:3",
    "   7 | line 7",
    "   8 | line 8",
    ">  9 | line 9",
    "     |   ^",
    "  10 | line 10",
    "  11 | line 11",
  ]);
});

it("shows fewer lines at the ends of the file, and none for a place that is not in it", () => {
  expect(findCodeFrame("E\n    at a.js:1:1", textOf)?.split("\n")).toEqual([
    "a.js:1:1",
    "> 1 | line 1",
    "    | ^",
    "  2 | line 2",
    "  3 | line 3",
  ]);
  expect(findCodeFrame("E\n    at run (a.js:99:1)", textOf)).toBeUndefined();
  expect(findCodeFrame("E\n    at run (b.js:1:1)", textOf)).toBeUndefined();
  expect(findCodeFrame("no frames", textOf)).toBeUndefined();
});

it("cuts long lines, and leaves out a mark that would be beyond them", () => {
  const long = (): string => "x".repeat(500);
  expect(findCodeFrame("E\n    at a.js:1:400", long)).toBe(`a.js:1:400\n> 1 | ${"x".repeat(160)}…`);
});
