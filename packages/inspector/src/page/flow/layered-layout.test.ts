import { expect, test } from "vitest";

import { type Arrow, layeredLayout } from "./layered-layout.ts";

const arrowsOf = (...texts: readonly string[]): Arrow[] =>
  texts.map((text) => ({ from: text[0] ?? "", to: text[1] ?? "" }));

test("every arrow leads to a later column, unless it closes a circle", () => {
  const arrows = arrowsOf("ab", "bc", "ac", "cd", "db");
  const { positions, columns } = layeredLayout("abcd".split(""), arrows);
  const column = (id: string): number => positions.get(id)?.column ?? -1;
  expect("abcd".split("").map(column)).toEqual([0, 1, 2, 3]);
  expect(columns).toBe(4);
  const back = arrows.filter(({ from, to }) => column(from) >= column(to));
  expect(back).toEqual(arrowsOf("db"));
});

test("rows are ordered so that arrows do not cross where they need not", () => {
  const { positions } = layeredLayout("abcxyz".split(""), arrowsOf("az", "by", "cx"));
  const rows = (ids: string): number[] => ids.split("").map((id) => positions.get(id)?.row ?? -1);
  const [first, second] = [rows("abc"), rows("zyx")];
  expect(second).toEqual(first);
});

test("columns with fewer rows are in the middle; loops and unknown ends do not matter", () => {
  const { positions, rows } = layeredLayout("abcx".split(""), arrowsOf("ax", "bx", "cx", "xx", "x?", "?a"));
  expect(rows).toBe(3);
  expect(positions.get("x")).toEqual({ column: 1, row: 1 });
  expect(layeredLayout([], [])).toMatchObject({ columns: 0, rows: 0 });
});

test("an arrow over several columns has a place of its own in each of them", () => {
  const { positions, bendsOf } = layeredLayout("abc".split(""), arrowsOf("ab", "bc", "ac"));
  const [bend, ...others] = bendsOf({ from: "a", to: "c" });
  expect(others).toEqual([]);
  expect(bend?.column).toBe(1);
  expect(bend?.row).not.toBe(positions.get("b")?.row);
  expect(bendsOf({ from: "a", to: "b" })).toEqual([]);
  expect(bendsOf({ from: "x", to: "y" })).toEqual([]);
});

test("no two nodes are in one place", () => {
  const ids = Array.from({ length: 60 }, (_, index) => String(index));
  const arrows = ids.map((id, index) => ({ from: id, to: String((index * 7 + 3) % 60) }));
  const { positions } = layeredLayout(ids, arrows);
  expect(positions.size).toBeGreaterThanOrEqual(60);
  expect(new Set([...positions.values()].map(({ column, row }) => `${column} ${row}`)).size).toBe(positions.size);
});
