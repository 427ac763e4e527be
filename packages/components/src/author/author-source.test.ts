import { describe, expect, it } from "vitest";

import { createBudget } from "../../../model/src/step-budget.ts";
import { createAuthorSources } from "./author-source.ts";
import { authorStack } from "./explain-error.ts";
import { explainLeft } from "./explain-left.ts";
import { tokensOf } from "./tokens.ts";

const mapOf = (code: string): string =>
  JSON.stringify({
    version: 3,
    sources: ["a.js"],
    sourcesContent: [code],
    names: [],
    mappings: `AAAA${";AACA".repeat(code.split("\n").length - 1)}`,
  });

describe("brackets of a file", () => {
  const pairs = (text: string): string[] => {
    const tokens = tokensOf(text);
    return tokens.flatMap(({ pair }, at) => (pair > at ? `${tokens[at]?.text}${at} ${tokens[pair]?.text}${pair}` : []));
  };
  const around = (text: string, name: string): string | undefined => {
    const tokens = tokensOf(text);
    return tokens[tokens.find((token) => token.text === name)?.around ?? -1]?.text;
  };

  it("belong to each other, also in templates, and whatever their text contains", () => {
    expect(pairs("a(b[c], {})")).toEqual(["(1 )9", "[3 ]5", "{7 }8"]);
    expect(pairs("`(${x}[`")).toEqual(["`0 `6", "${2 }4"]);
    expect(pairs("(`a` + `${`)`}`)")[0]).toMatch(/^\(0 \)/);
  });

  it("are around the tokens inside", () => {
    expect(around("a(b, [x])", "b")).toBe("(");
    expect(around("a(b, [x])", "x")).toBe("[");
    expect(around("f(`1${x}2`)", "x")).toBe("${");
    expect(around("f(`1${{ a: 1 }}2`, x)", "x")).toBe("(");
    expect(around("f() ; x", "x")).toBeUndefined();
    expect(around("(()) ) x", "x")).toBeUndefined();
  });
});

describe("source maps", () => {
  it("are read once, also those that are too large for the cache", () => {
    for (const length of [10, 5 * 1024 * 1024]) {
      const sources = createAuthorSources();
      const sourceMap = mapOf(`// ${"x".repeat(length)}`);
      expect(sources(sourceMap).map).toBe(sources(sourceMap).map);
    }
  });
});

describe("an explanation for which the budget does not suffice", () => {
  const code = `async function tick() { await\nsleep(1); }\nfunction run() { tick(); }`;
  const stack = "    at tick (bundle.js:2:1)";
  const left = { count: 1, items: [{ kind: "timer", detail: "1 ms", stack } as const] };
  const sources = createAuthorSources();

  it("says so, and names the work", () => {
    const whole = explainLeft("run", left, sources(mapOf(code)));
    expect(whole).toContain("tick() at a.js:3:18: a timer of 1 ms had not fired");
    const sourceMap = mapOf(`${code}\n`);
    for (const steps of [0, 100, 500]) {
      const text = explainLeft("run", left, sources(sourceMap, createBudget(steps)));
      expect(text).toContain("a timer of 1 ms had not fired (not explained: too long)");
    }
  });

  it("is followed by the stack as it was", () => {
    const text = `Error: x\n${stack}`;
    expect(authorStack(text, sources(mapOf(code)))).toBe("Error: x\n    at tick (a.js:2:1)");
    expect(authorStack(text, sources(mapOf(code), createBudget(50)))).toBe(`${text}\n(not explained: too long)`);
  });
});
