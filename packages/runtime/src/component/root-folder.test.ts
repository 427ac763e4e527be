import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

import { findRoot } from "./root-folder.ts";

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
