import { expect, it } from "vitest";

import { lineAt, lineStarts } from "./line-starts.ts";

it("finds the line of each character", () => {
  for (const text of ["", "a", "\n", "a\n\nbc\r\nd", "\n\n\n"]) {
    const lines = lineStarts(text);
    expect(lines).toHaveLength(text.split("\n").length);
    for (let at = 0; at <= text.length; at += 1)
      expect(lineAt(lines, at), `${JSON.stringify(text)} at ${at}`).toBe(text.slice(0, at).split("\n").length - 1);
  }
});
