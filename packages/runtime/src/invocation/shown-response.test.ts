import { expect, test } from "vitest";

import { showHeaders, showResponse } from "./shown-response.ts";

const shown = (body: Uint8Array): string => (showResponse({ status: 200, headers: [], body }) as { body: string }).body;

test("a body is shown as text, up to 4 MiB and without a part of a character", () => {
  const most = 4 * 1024 * 1024;
  expect(shown(Buffer.from("h\u00e9llo"))).toBe("h\u00e9llo");
  expect(shown(Uint8Array.of(0x61, 0xff))).toBe("a\ufffd");
  expect(shown(Buffer.alloc(most, "x"))).toHaveLength(most);
  expect(shown(Buffer.alloc(most + 1, "x"))).toBe(`${"x".repeat(most)}…`);
  expect(shown(Buffer.from(`x${"é".repeat(most / 2)}`))).toBe(`x${"é".repeat(most / 2 - 1)}…`);
  for (const character of ["é", "€", "😀"])
    for (const before of ["", "x", "xx", "xxx"])
      expect(shown(Buffer.from(before + character.repeat(most / 2))).length).toBeGreaterThan(most / 4);
});

test("of a body that is no text the first 64 KiB are shown", () => {
  const most = 64 * 1024;
  expect(shown(Buffer.alloc(most, 0xff))).toBe("\ufffd".repeat(most));
  for (const length of [most + 1, 32 * 1024 * 1024])
    expect(shown(Buffer.alloc(length, 0xff))).toBe(`${"\ufffd".repeat(most)}…`);
  expect(shown(Buffer.concat([Buffer.alloc(most, "x"), Buffer.of(0xff)]))).toBe(`${"x".repeat(most)}…`);
});

test("a repeated header has the list of its values", () => {
  const headers = [
    ["a", "1"],
    ["b", "2"],
    ["a", "3"],
    ["a", "4"],
  ] as const;
  expect(showHeaders(headers)).toEqual({ a: ["1", "3", "4"], b: "2" });
});
