import { TraceMap } from "@jridgewell/trace-mapping";
import { expect, test } from "vitest";

import { testBundler as bundler } from "../bundle.cases.ts";
import { createStackMapper, mapStack } from "./stack.ts";

const code = `// a comment
const helper = (x) => {
  throw new Error("no " + x);
};
export default {
  async run() { helper(1); },
};
`;

/** Where a text stands, counted from 1, as the sandbox counts. */
function placeOf(text: string, wanted: string): string {
  const at = text.indexOf(wanted);
  const before = text.slice(0, at).split("\n");
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

test("a stack of the sandbox becomes one of the author's files", async () => {
  const { bundle, sourceMap } = await bundler.bundle({ code });
  const stack = [
    "Error: no 1",
    `    at helper (bundle.js:${placeOf(bundle, "new Error")})`,
    "    at map (native)",
    `    at <anonymous> (bundle.js:${placeOf(bundle, "helper(1)")})`,
    `    at bundle.js:${placeOf(bundle, "helper(1)")}`,
    "    at call (x:prelude:12:9)",
    "    at <eval> (bundle.js:1:1)",
    "    at <eval> (<input>:1:5)",
    "",
  ].join("\n");
  expect(mapStack(stack, new TraceMap(sourceMap))).toBe(
    [
      "Error: no 1",
      `    at helper (component.js:${placeOf(code, "new Error")})`,
      `    at component.js:${placeOf(code, "helper(1)")}`,
      `    at component.js:${placeOf(code, "helper(1)")}`,
    ].join("\n"),
  );
});

test("the name under which the bundle was evaluated can be another", async () => {
  const { bundle, sourceMap } = await bundler.bundle({ code });
  const place = placeOf(bundle, "helper(1)");
  const map = new TraceMap(sourceMap);
  expect(mapStack(`    at run (feed.js:${place})\n    at run (bundle.js:${place})`, map, "feed.js")).toBe(
    `    at run (component.js:${placeOf(code, "helper(1)")})`,
  );
});

test("lines that are no frames stay as they are, whatever they hold", () => {
  const map = new TraceMap({ version: 3, sources: [], names: [], mappings: "" });
  const text = "TypeError: not a function (\n  see bundle.js:1:2\nCaused by: x";
  expect(mapStack(text, map)).toBe(text);
  expect(mapStack("", map)).toBe("");
  expect(mapStack("    at f (bundle.js:0:0)", new TraceMap({ version: 3, sources: [], names: [], mappings: "" }))).toBe(
    "",
  );
});

test("a mapper distinguishes bundles of the same text by their maps", async () => {
  const { bundle, sourceMap } = await bundler.bundle({ code });
  const movedCode = `// A comment of its own.\n${code}`;
  const moved = await bundler.bundle({ code: movedCode });
  expect(moved.bundle).toBe(bundle);
  const map = createStackMapper();
  const stack = `    at run (bundle.js:${placeOf(bundle, "helper(1)")})`;
  const shown = (text: string): string => `    at run (component.js:${placeOf(text, "helper(1)")})`;
  expect(map(stack, sourceMap)).toBe(shown(code));
  expect(map(stack, moved.sourceMap)).toBe(shown(movedCode));
});

test("what stands for an import of a computed path is in no stack", async () => {
  const { bundle, sourceMap } = await bundler.bundle({ code });
  const place = placeOf(bundle, "new Error");
  const stack = `Error: Cannot find module\n    at $equire (bundle.js:${place})\n    at helper (bundle.js:${place})`;
  expect(mapStack(stack, new TraceMap(sourceMap)).split("\n")).toEqual([
    "Error: Cannot find module",
    `    at helper (component.js:${placeOf(code, "new Error")})`,
  ]);
});
