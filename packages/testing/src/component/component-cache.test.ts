import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";

import { source } from "../vitest.ts";

const folder = mkdtempSync(join(tmpdir(), "x-component-cache-"));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): void {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

async function emitted(): Promise<unknown> {
  const feed = source(join(folder, "feed.mjs"));
  await feed.deploy();
  await feed.run();
  return feed.emits.map(({ event }) => event);
}

test.each([
  [
    "feed.mjs",
    `import { b } from "./b.js"; import { c } from "c"; export default { name: "Feed", version: "1", run() { this.$emit(b + c + 10); } };`,
  ],
  ["b.js", "export const b = 100;"],
  ["node_modules/c/c.js", "exports.c = 1000;"],
  ["d/e.js", "export const e = 10000;"],
])("a cached component is used until %s changes", async (changed, text) => {
  write("package.json", "{}");
  write(
    "feed.mjs",
    `import { b } from "./b.js"; import { c } from "c"; import { e } from "./d/e"; export default { name: "Feed", version: "1", run() { this.$emit(b + c + e); } };`,
  );
  write("b.js", "export const b = 1;");
  write("d/e/index.js", "export const e = 0;");
  write("node_modules/c/package.json", `{ "name": "c", "version": "1.0.0", "main": "index.js" }`);
  write("node_modules/c/index.js", `exports.c = require("./c").c;`);
  write("node_modules/c/c.js", "exports.c = 2;");
  // Young files are read again, so no entry is cached yet.
  const before = [await emitted(), await emitted(), await emitted()];
  expect(before).toEqual([[3], [3], [3]]);
  write(changed, text);
  expect(await emitted()).not.toEqual([3]);
});
