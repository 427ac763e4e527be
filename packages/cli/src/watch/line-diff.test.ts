import { expect, test } from "vitest";

import { lineDiff } from "./line-diff.ts";

const diff = (before: string, after: string): string =>
  lineDiff(before.split(""), after.split(""), (line) => line.toLowerCase())
    .map(({ mark, text }) => `${mark}${text}`)
    .join("");

test("removed lines come before added ones, with equal lines between them", () => {
  expect(diff("abc", "abc")).toBe(" a b c");
  expect(diff("abc", "axc")).toBe(" a-b+x c");
  expect(diff("", "ab")).toBe("+a+b");
  expect(diff("ab", "")).toBe("-a-b");
  expect(diff("abcd", "bxd")).toBe("-a b-c+x d");
});

test("what does not count makes no difference, and is shown as it is now", () => {
  expect(diff("ab", "Ab")).toBe(" A b");
});

test("a text of many lines is shown to its end", () => {
  const lines = Array.from({ length: 1_200 }, (_, index) => String(index));
  const told = lineDiff(lines, [...lines, "last"], (line) => line);
  expect(told.at(-1)).toEqual({ mark: "+", text: "last" });
  expect(told.filter(({ mark }) => mark !== "-")).toHaveLength(1_201);
});
