import { SourceMap } from "node:module";

import { expect, it } from "vitest";

import { identityMap, wordGrid } from "./identity-map.ts";

const text = `const name = "${"long ".repeat(40)}";\n\n\n  export function twice(n) {\n    return n * 2;\n  }\n`;

it("maps every word and sign to itself", () => {
  const made = identityMap("/a.js", wordGrid(text)) as SourceMap["payload"];
  const map = new SourceMap(made);
  const positions = wordGrid(text).flatMap((columns, line) => columns.map((column) => [line, column] as const));
  expect(positions.length).toBeGreaterThan(100);
  const found = positions.map(([line, column]) => {
    const entry = map.findEntry(line, column);
    return "originalLine" in entry ? [entry.originalLine, entry.originalColumn] : [];
  });
  expect(found).toEqual(positions);
});
