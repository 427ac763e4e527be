import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { evaluate, testBundler as bundler, writeFiles } from "./bundle.cases.ts";
import type { PackageUse } from "./contract.ts";

const place = mkdtempSync(join(tmpdir(), "package-files-"));
afterAll(() => rmSync(place, { recursive: true }));
let count = 0;

/** What a package of that name gives to `require`. */
async function gives(
  { files, json }: { readonly files: Record<string, string>; readonly json: object },
  more: Pick<PackageUse, "conditions"> = {},
): Promise<unknown> {
  const folder = join(place, String((count += 1)));
  const description = JSON.stringify({ name: "it", version: "1.0.0", ...json });
  writeFiles(folder, "node_modules/it", { "package.json": description, ...files });
  const lock = {
    requests: { it: "node_modules/it" },
    packages: { "node_modules/it": { version: "1.0.0", integrity: "sha512-x" } },
  };
  const use: PackageUse = { install: () => Promise.resolve({ folder, key: folder, lock }), ...more };
  return evaluate((await bundler.bundle({ code: `module.exports = require("it");` }, use)).bundle);
}

test("the browser map of a package holds: other files, packages that are left out, built-ins by name", async () => {
  const browser = { "./node.js": "./browser.js", fs: false, "node-only": "./shim.js" };
  const files = {
    "index.js": `module.exports = [require("./node.js"), require("fs"), require("node-only")];`,
    "node.js": `module.exports = "node";`,
    "browser.js": `module.exports = "browser";`,
    "shim.js": `module.exports = "shim";`,
  };
  const forBrowsers = { conditions: "browser" } as const;
  expect(await gives({ files, json: { browser } }, forBrowsers)).toEqual(["browser", {}, "shim"]);
  const json = { browser, exports: { node: "./node.js", default: "./browser.js" } };
  expect(await gives({ files, json })).toBe("node");
});

test("a package that has files for bundlers only is taken from them, and what it lacks is missing", async () => {
  const text = `let lacks; try { require("not-there"); } catch (error) { lacks = error.code; } module.exports = ["bundled", lacks];`;
  const json = { exports: { browser: "./index.js" }, browser: { "not-there": false } };
  expect(await gives({ files: { "index.js": text }, json })).toEqual(["bundled", "MODULE_NOT_FOUND"]);
});

test("a browser field that is one file does not replace the entry: Node's works here, and does more", async () => {
  const files = { "node.js": `module.exports = "node";`, "browser.js": `module.exports = "browser";` };
  const json = { main: "node.js", browser: "browser.js" };
  expect(await gives({ files, json })).toBe("node");
});

test("`self` is there for files for browsers alone: those for Node would take it for a browser's", async () => {
  const files = { "node.js": `module.exports = typeof self;`, "browser.js": `module.exports = typeof self;` };
  const json = { exports: { node: "./node.js", browser: "./browser.js" } };
  expect(await gives({ files, json })).toBe("undefined");
  expect(await gives({ files, json }, { conditions: "browser" })).toBe("object");
});
