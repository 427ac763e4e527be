import { expect, test } from "vitest";

import { folderOfKey, isCandidate, isCode, isSkippedFolder, stem } from "./names.ts";

test("S10 scripts may be components; apps, tests, declarations and hidden files are not", () => {
  const names = ["a.js", "b.mjs", "c.cjs", "d.ts", "e.mts", "f.cts", "new-thing.v2.mjs"];
  expect(names.filter(isCandidate)).toEqual(names);
  const others = [
    "acme.app.mjs",
    "acme.app.ts",
    "a.test.ts",
    "a.test.mjs",
    "a.d.ts",
    "a.d.mts",
    ".a.js",
    "a.json",
    "a",
  ];
  expect(others.filter(isCandidate)).toEqual([]);
});

test("every file type that a component can import is code", () => {
  expect(["a.json", "a.app.mjs", "a.ts"].every(isCode)).toBe(true);
  expect(["a.md", "a.txt", "a.mjs~", "a", ".env"].some(isCode)).toBe(false);
});

test("S10 node_modules and dot folders are skipped", () => {
  expect(["node_modules", ".git", ".publish-x"].every(isSkippedFolder)).toBe(true);
  expect(["modules", "a.b"].some(isSkippedFolder)).toBe(false);
});

test("files that compete for an import without extension have the same stem", () => {
  const stems = ["/r/common.mjs", "/r/common.ts", "/r/common/index.js", "/r/common/index.json"].map(stem);
  expect(new Set(stems)).toEqual(new Set(["/r/common"]));
  expect(stem("/r/acme.app.mjs")).toBe("/r/acme.app");
});

test.each([
  ["acme-new-thing", "acme-new-thing"],
  ["a/../../b", "a%2F..%2F..%2Fb"],
  ["..", "%2E."],
  [".hidden", "%2Ehidden"],
  ["node_modules", "%6Eode_modules"],
  ['a*b"c:d', "a%2Ab%22c%3Ad"],
  ["Größe", "Gr%C3%B6%C3%9Fe"],
])("the key %s has a folder of its own, %s", (key, folder) => {
  expect(folderOfKey(key)).toBe(folder);
});

test("a key that is too long for a folder name has no folder", () => {
  expect(folderOfKey("k".repeat(200))).toBe("k".repeat(200));
  expect(folderOfKey("k".repeat(201))).toBeUndefined();
});

test("a key that is not valid Unicode has no folder", () => {
  expect(folderOfKey("a\uD800b")).toBeUndefined();
});
