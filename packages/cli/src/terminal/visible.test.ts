import { expect, test } from "vitest";

import { hanging, inLine, jsonText, safeText } from "./visible.ts";

const bidi = "\u202e\u2066\u200f\u061c";

test("controls, line separators and direction marks are seen; newline and tab stay", () => {
  expect(safeText("a\u001b]0;x\u0007\nb\tc\u009b\u007f\0\r")).toBe("a\\x1b]0;x\\x07\nb\tc\\x9b\\x7f\\x00\\x0d");
  expect(safeText(`a\u2028b\u2029${bidi}`)).toBe("a\\u2028b\\u2029\\u202e\\u2066\\u200f\\u061c");
  expect(safeText("é 漢字 👩‍👩‍👧 עברית")).toBe("é 漢字 👩‍👩‍👧 עברית");
});

test("a text in a line begins no other, and one with lines of its own keeps them away from the margin", () => {
  expect(inLine("a\r\n12:00:00 error: forged\u2028b")).toBe("a\\x0d\\n12:00:00 error: forged\\u2028b");
  expect(hanging("a\nerror[x]: forged\n    at b\n", "  ")).toBe("a\n  error[x]: forged\n    at b\n  ");
});

test("JSON means the same", () => {
  const value = { [`k${bidi}`]: "a\u2028\u009b\u001b\u007f\n" };
  const text = jsonText(value);
  expect(text).toBe(String.raw`{"k\u202e\u2066\u200f\u061c":"a\u2028\u009b\u001b\u007f\n"}`);
  expect(JSON.parse(text)).toEqual(value);
});
