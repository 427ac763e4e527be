import { expect, test } from "vitest";

import { parseSearch } from "./search-words.ts";

const found = (q: string, texts: readonly (string | null | undefined)[], id?: string): boolean | undefined =>
  parseSearch(q)?.(texts, id);

test("every word is in one of the texts, in any case", () => {
  expect(found("ORD  shop", ["Orders", "my-shop"])).toBe(true);
  expect(found("ord tax", ["Orders", "my-shop"])).toBe(false);
  expect(found("straße", ["Die STRASSE", "Straße"])).toBe(true);
  expect(found("null", [null, undefined])).toBe(false);
});

test("an id is found by its beginning alone", () => {
  expect(found("dc_ab", ["x"], "dc_Ab12")).toBe(true);
  expect(found("b12", ["x"], "dc_Ab12")).toBe(false);
});

test("a search without words is none", () => {
  expect(parseSearch("  ")).toBeUndefined();
});
