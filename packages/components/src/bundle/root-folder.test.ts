import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

import { findBuildsFolder, findRoot } from "./root-folder.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "x-root-")));

function write(path: string): string {
  const file = join(base, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "{}");
  return file;
}

test.each([
  ["alone/feed.mjs", [], "alone"],
  ["project/src/feed.mjs", ["project/package.json"], "project"],
  [
    "repo/components/acme/sources/new/new.mjs",
    ["repo/package.json", "repo/components/acme/package.json"],
    "repo/components",
  ],
  ["flat/components/feed.mjs", ["flat/package.json"], "flat"],
])("the root of %s is the %s folder", (path, others, root) => {
  const file = write(path);
  for (const other of others) write(other);
  expect(findRoot(file)).toBe(join(base, root));
});

test("a linked file belongs to the place it really is at", () => {
  const file = write("far/components/acme/sources/a/a.mjs");
  const link = join(base, "link.mjs");
  symlinkSync(file, link);
  expect(findRoot(link)).toBe(join(base, "far/components"));
});

test("builds are kept in the nearest node_modules, and nowhere without one", () => {
  const folder = dirname(write("kept/node_modules/a/package.json"));
  const working = join(base, "kept/src/deep");
  mkdirSync(working, { recursive: true });
  expect(findBuildsFolder(working)).toBe(join(dirname(folder), ".cache/x/builds"));
  expect(findBuildsFolder(join(base, "kept"))).toBe(findBuildsFolder(working));
  mkdirSync(join(base, "bare"));
  expect(findBuildsFolder(join(base, "bare"))).toBeUndefined();
});
