import { expect, test } from "vitest";

import { codesOf, createFinder } from "./secret-finder.ts";

const find = (wanted: readonly string[], text: string, least?: number) =>
  createFinder(wanted)
    .find(codesOf(text), least)
    .map(([from, to]) => text.slice(from, to));

test("finds the longest text at each position, and overlapping ones", () => {
  expect(find(["abcdef", "abcdefgh", "ghijkl"], "xabcdefghijklx abcdefg")).toEqual(["abcdefgh", "ghijkl", "abcdef"]);
  expect(find(["abcdef", "abcdefgh"], "abcdef abcdefgh", 8)).toEqual(["abcdefgh"]);
  expect(find(["short", ""], "short")).toEqual([]);
});

test("finds as much of a long text as matches after its first 64 characters", () => {
  const long = Array.from({ length: 40 }, (_, index) => `${index}-part `).join("");
  expect(find([long], `a ${long} b`)).toEqual([long]);
  expect(find([long], long.slice(0, 100))).toEqual([long.slice(0, 100)]);
  expect(find([long], long.slice(0, 63))).toEqual([]);
});

test("joins occurrences that overlap, and not those that are side by side", () => {
  const joined = (wanted: readonly string[], text: string) => createFinder(wanted).find(codesOf(text), undefined, true);
  expect(joined(["aaaaaa"], "aaaaaaaaa b aaaaaa")).toEqual([
    [0, 9],
    [12, 18],
  ]);
  expect(joined(["abcdef"], "abcdefabcdef")).toEqual([
    [0, 6],
    [6, 12],
  ]);
  expect(joined(["abcdefgh", "cdefgh", "ghijkl"], "abcdefghijkl")).toEqual([[0, 12]]);
});

test("of long texts that begin alike it finds the one that matches furthest", () => {
  const beginning = Array.from({ length: 20 }, (_, index) => `${index}-part `).join("");
  const wanted = Array.from(
    { length: 200 },
    (_, index) => `${beginning}${index % 2 ? "odd " : "even "}${index * 7} end`,
  );
  for (const text of wanted) expect(find(wanted, `x ${text} y`)).toEqual([text]);
  expect(find(wanted, `${beginning}odd 7 of them`)).toEqual([`${beginning}odd 7 `]);
});

test("finds the same as a search for each text", () => {
  let state = 1;
  const chance = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
  const letters = (most: number): string => Array.from({ length: chance(most) }, () => "ab\ud800é"[chance(4)]).join("");
  for (let round = 0; round < 2_000; round++) {
    const wanted = Array.from({ length: chance(9) }, () => letters(12));
    const text = letters(40);
    const longest = Array.from(text.split(""), (_, at) => {
      const fitting = wanted.filter((each) => each.length >= 6 && text.startsWith(each, at));
      return [at, at + Math.max(0, ...fitting.map(({ length }) => length))] as const;
    });
    expect(createFinder(wanted).find(codesOf(text))).toEqual(longest.filter(([from, to]) => to > from));
  }
});
