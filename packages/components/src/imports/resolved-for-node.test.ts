import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { writeFiles } from "../bundle.cases.ts";
import { disk } from "./disk.ts";
import { createResolveFile } from "./package-resolver.ts";

const place = mkdtempSync(join(tmpdir(), "taken-as-in-node-"));
afterAll(() => rmSync(place, { recursive: true }));

const files = (name: string): Record<string, string> => ({
  "package.json": JSON.stringify({
    name,
    version: "1.0.0",
    main: "./index.js",
    browser: { "./parse.js": "./parse.browser.js" },
    exports: { ".": { browser: "./browser.js", default: "./index.js" } },
  }),
  "index.js": "",
  "browser.js": "",
  "parse.js": "",
  "parse.browser.js": "",
});
for (const name of ["stripe", "stripe__2", "@aws-sdk/xml-builder", "axios", "other"])
  writeFiles(join(place, "node_modules", name), "", files(name));

const resolve = createResolveFile(disk, "browser", place);
const resolved = (name: string, above = place): (string | false)[] => {
  const folder = join(above, "node_modules", name);
  const found = [resolve("import", above, name), resolve("require", folder, "./parse.js")];
  return found.map((path) => path && path.slice(folder.length + 1));
};

test("packages whose browser build does not work in components are resolved for Node", () => {
  expect(resolved("axios")).toEqual(["index.js", "parse.js"]);
  expect(resolved("stripe")).toEqual(["index.js", "parse.js"]);
  expect(resolved("@aws-sdk/xml-builder")).toEqual(["index.js", "parse.js"]);
});

test("a second version of such a package, in a folder of another name, is resolved for Node too", () => {
  expect(resolved("stripe__2")).toEqual(["index.js", "parse.js"]);
});

test("all other packages are resolved for browsers", () => {
  expect(resolved("other")).toEqual(["browser.js", "parse.browser.js"]);
});
