import { expect, test } from "vitest";

import { diffLines, diffValues } from "./line-diff.ts";

const marks = { same: " ", removed: "-", added: "+" } as const;
const shown = (lines: ReturnType<typeof diffLines>): string[] => lines.map(({ kind, text }) => marks[kind] + text);

test("only the lines that differ are removed and added", () => {
  expect(shown(diffValues({ a: 1, b: [1] }, { a: 1, b: [1, 2] }))).toEqual([
    " {",
    '   "a": 1,',
    '   "b": [',
    "-    1",
    "+    1,",
    "+    2",
    "   ]",
    " }",
  ]);
});

test("an absent value has no lines", () => {
  expect(shown(diffValues(undefined, 1))).toEqual(["+1"]);
  expect(shown(diffValues(null, undefined))).toEqual(["-null"]);
  expect(diffValues(undefined, undefined)).toEqual([]);
});

test("very long texts are replaced as a whole", () => {
  const long = Array.from({ length: 500 }, (_, index) => String(index)).join("\n");
  const lines = diffLines(long, `${long}\nmore`);
  expect(lines.filter(({ kind }) => kind === "same")).toEqual([]);
  expect(lines).toHaveLength(1_001);
});
