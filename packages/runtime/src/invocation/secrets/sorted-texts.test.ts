import { expect, test } from "vitest";

import { codesOf } from "./secret-finder.ts";
import { commonLength, sortTexts } from "./sorted-texts.ts";

test("finds the last text that is not greater, and what it has in common with the codes", () => {
  let state = 7;
  const chance = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
  const letters = (most: number): string => Array.from({ length: chance(most) }, () => "aab\ud800"[chance(4)]).join("");
  for (let round = 0; round < 2_000; round++) {
    const beginning = letters(6);
    const { texts, findBefore } = sortTexts(new Set(Array.from({ length: chance(12) }, () => beginning + letters(8))));
    const text = beginning + letters(12);
    const at = chance(text.length + 1);
    const index = texts.findLastIndex((each) => each <= text.slice(at));
    const common = index === -1 ? 0 : commonLength(codesOf(text), at, texts[index] ?? "");
    expect(findBefore(codesOf(text), at)).toEqual({ index, common });
  }
});
