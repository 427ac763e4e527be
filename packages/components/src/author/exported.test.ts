import { expect, it } from "vitest";

import { findExported } from "./exported.ts";

const membersOf = (code: string): string[] | undefined => {
  const exported = findExported(code);
  return exported && [...exported.membersOf(exported.node).keys()];
};
const many = (count: number): string => Array.from({ length: count }, (_, n) => `m${n}: 1`).join(", ");

it("knows the members of spread objects, as many times as they are spread", () => {
  expect(membersOf("const a = { x: 1, y: 2 }; module.exports = { z: 0, ...a, ...a };")).toEqual(["z", "x", "y"]);
  expect(membersOf(`const a = { ${many(1_000)} }; module.exports = { ...a, ...a };`)).toHaveLength(1_000);
});

it("knows no member of an object that spreads too many", () => {
  const code = `const a = { ${many(2_000)} }; module.exports = { name: "x", ${"...a, ".repeat(2_000)} };`;
  expect(membersOf(code)).toEqual([]);
});
