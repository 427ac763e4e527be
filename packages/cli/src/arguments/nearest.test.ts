import { expect, test } from "vitest";

import { findNearest, hintOf } from "./nearest.ts";

const commands = ["new", "dev", "run", "sources", "subscriptions"];

test("a typing error has the word that was meant, letters that changed places included", () => {
  expect(
    ["dve", "nwe", "rn", "Dev", "soruces", "source", "subscrption"].map((word) => findNearest(word, commands)),
  ).toEqual(["dev", "new", "run", "dev", "sources", "sources", "subscriptions"]);
});

test("the beginning of a word matches it, one letter does not", () => {
  expect([findNearest("sub", commands), findNearest("json", ["root", "json-logs"])]).toEqual([
    "subscriptions",
    "json-logs",
  ]);
  expect(findNearest("s", commands)).toBeUndefined();
});

test("for a word that is not close to any, all candidates are listed", () => {
  expect(["zzzzzz", "nope", "x", "foo"].map((word) => findNearest(word, commands))).toEqual(Array(4).fill(undefined));
  expect(hintOf("stats", ["ls", "show"], "x sources ")).toBe("there are ls, show");
  expect(hintOf("shw", ["ls", "show"], "x sources ")).toBe("did you mean x sources show?");
});
