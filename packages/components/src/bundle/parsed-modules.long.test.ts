import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, parse } from "node:path";

import { afterAll, expect, test } from "vitest";

import { writeFiles } from "../bundle.cases.ts";
import { createPackageTrees } from "../imports/package-trees.ts";
import { build } from "./build.ts";
import type { BuildReply } from "./bundle-messages.ts";
import { createParsedModules } from "./parsed-modules.ts";

const folder = mkdtempSync(join(tmpdir(), "parsed-modules-"));
afterAll(() => rmSync(folder, { recursive: true }));

const { root: workingDirectory } = parse(process.execPath);
const tree = writeFiles(folder, "tree", {
  "node_modules/one/package.json": `{ "name": "one", "version": "1.0.0", "type": "module", "exports": "./index.js" }`,
  "node_modules/one/index.js": `import two from "two"; export const one = () => [two.two, import("two")]; export class One { a = 1; }`,
  "node_modules/two/package.json": `{ "name": "two", "version": "1.0.0" }`,
  "node_modules/two/index.js": `exports.two = () => import("./late"); exports.text = "${"long ".repeat(4_000)}";`,
  "node_modules/two/late.js": `module.exports = require("fs").readFileSync;`,
  "node_modules/huge/package.json": `{ "name": "huge", "version": "1.0.0" }`,
  "node_modules/huge/index.js": `exports.huge = "${"huge ".repeat(800_000)}";`,
});
const requests = { one: "node_modules/one", two: "node_modules/two", huge: "node_modules/huge" };
const packages = { conditions: "node" as const, installed: { folder: tree, key: "key", requests } };
const withParsed = { trees: createPackageTrees(), parsed: createParsedModules() };

const buildText = (code: string, kept?: typeof withParsed): Promise<BuildReply> =>
  build({ code, codeBytes: 100_000, packages }, workingDirectory, kept);

const texts = [
  `import { one } from "one"; export default { one };`,
  `import { One } from "one"; import * as two from "two"; export default { run: () => new One(two) };`,
  `import { one } from "one"; export default { one, two: await import("two") };`,
  `import { one } from "one"; export default { one, };;; const a: number = 1;`,
  `import { one } from "one"; export default { one, {{`,
  `import { huge } from "huge"; import { none } from "one"; export default { huge, none };`,
  `import { lost } from "lost"; export default { lost };`,
  `const { two } = require("two"); module.exports = { two };`,
  `import { one } from "one"; export default { one };`,
];

test("a build with modules that earlier builds have parsed gives what it gives without", async () => {
  for (const text of [...texts, ...texts]) expect(await buildText(text, withParsed)).toEqual(await buildText(text));
});

test("builds that run at the same time do not get each other's modules", async () => {
  const built = await Promise.all(texts.map((text) => buildText(text, withParsed)));
  expect(built).toEqual(await Promise.all(texts.map((text) => buildText(text))));
});
