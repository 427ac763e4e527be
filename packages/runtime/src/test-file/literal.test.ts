import { runInNewContext } from "node:vm";

import { describe, expect, it } from "vitest";

import type { Json } from "../../../model/src/model.ts";
import { Call, Code, literal, longLiteral } from "./literal.ts";

const read = (text: string): unknown => runInNewContext(`(${text})`);

describe("literals of large values", () => {
  it("are in one line from a depth on, and mean the same value", () => {
    const texts = Array.from({ length: 50 }, (_, n) => `text ${n}`);
    for (const depth of [1, 11, 12, 240]) {
      let value: Json = texts;
      for (let level = 0; level < depth; level += 1) value = level % 2 ? [value] : { inner: value };
      const text = literal(value);
      expect(read(text)).toEqual(value);
      expect(text.length).toBeLessThan(50 * 40 + 1_000 + 20 * depth);
    }
  });

  it("are texts that the test parses, when they are very long", () => {
    const value = { quotes: `"it's"\u2028`, list: Array.from({ length: 100_000 }, (_, n) => n) };
    const text = longLiteral(value, 0, 0);
    expect(text).toMatch(/^JSON\.parse\(/);
    expect(read(text)).toEqual(value);
    expect(longLiteral({ a: 1 }, 0, 0)).toBe("{ a: 1 }");
  });

  it("fit in a line up to its last column", () => {
    const fits = "x".repeat(118 - "[1, ".length - '"",'.length + 1 - "]".length);
    expect(literal([1, fits])).not.toContain("\n");
    expect(literal([1, `${fits}x`])).toContain("\n");
    expect(literal(new Call("f", [], {}, new Code("x")))).toBe("f([], {}, x)");
  });
});
