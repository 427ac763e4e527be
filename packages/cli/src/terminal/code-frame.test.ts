import { expect, test } from "vitest";

import { findCodeFrame } from "./code-frame.ts";
import { makeFolder } from "../spawned.cases.ts";

test("the line of a stack is shown with its place, a long one from around it", async () => {
  await using folder = await makeFolder({ "a.js": `one();\n\ttwo();\n${"x".repeat(400)}` });
  const frame = (place: string): string | undefined => findCodeFrame(`Error: no\n    at run (${place})`, folder.path);
  expect(frame("a.js:2:2")).toBe("2 |  two();\n  |  ^");
  expect(frame("a.js:3:300")).toBe(`3 | …${"x".repeat(160)}…\n  | ${" ".repeat(81)}^`);
  expect(frame("a.js:3:1")).toBe(`3 | ${"x".repeat(160)}…\n  | ^`);
  expect(frame("b.js:1:1")).toBeUndefined();
});
