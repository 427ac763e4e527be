import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, afterEach, expect, test } from "vitest";

import { evaluate, failure, writeFiles } from "../bundle.cases.ts";
import { bundleWithPackages } from "./bundle-packages.ts";
import { createBuilder, createBundler } from "./bundler.ts";
import type { Bundled, PackageUse } from "../contract.ts";

const limits = { timeoutMs: 8_000, memoryBytes: 512 * 1024 * 1024, codeBytes: 512 * 1024 };
const base = mkdtempSync(join(tmpdir(), "x-builds-"));
const builds = join(base, "builds");
let projects = 0;

/** One for all tests: it keeps nothing but what lies in the folder. */
const bundler = createBundler({ ...limits, buildsFolder: builds });
/** Its process never answers in time: what it gives was stored. */
const reader = bundleWithPackages(
  createBuilder({ ...limits, buildsFolder: builds }, () => ({
    alive: false,
    findMemory: () => undefined,
    ask: () => Promise.resolve({ kind: "timeout" }),
    kill: () => Promise.resolve(),
  })),
);
afterEach(() => rmSync(builds, { recursive: true, force: true }));
afterAll(async () => {
  await Promise.all([bundler.close(), reader.close()]);
  rmSync(base, { recursive: true });
});

const entry = `import { size } from "./lib/size"; export default { name: "Feed", size };`;
const files = { "feed.mjs": entry, "lib/size.js": `export const size = 1;` };

interface Project {
  readonly root: string;
  build(use?: PackageUse): Promise<Bundled>;
  /** Rejects when the build is not stored. */
  stored(use?: PackageUse): Promise<Bundled>;
}

function project(content: Record<string, string> = files): Project {
  const root = writeFiles(base, `project${++projects}`, content);
  const input = { file: join(root, "feed.mjs"), root };
  return {
    root,
    build: (use) => bundler.bundle(input, use),
    stored: (use) => reader.bundle(input, use),
  };
}

const valueOf = ({ bundle }: Bundled): unknown => (evaluate(bundle) as { default: unknown }).default;

test("a build of one process is available to another, and is the same", async () => {
  const { build, stored } = project();
  await expect(stored()).rejects.toThrow("took longer than");
  const built = await build();
  expect(await stored()).toEqual(built);
  expect(built.files).toEqual(["feed.mjs", "lib/size.js"]);
});

test("the cached build of moved files is used", async () => {
  const { root, build } = project();
  const built = await build();
  const moved = `${root}-moved`;
  renameSync(root, moved);
  expect(await reader.bundle({ file: join(moved, "feed.mjs"), root: moved })).toEqual(built);
});

test("a changed file is bundled again", async () => {
  const { root, build, stored } = project();
  await build();
  for (const [file, text] of [
    ["lib/size.js", `export const size = 2;`],
    ["feed.mjs", entry.replace("Feed", "Other")],
  ] as const) {
    writeFileSync(join(root, file), text);
    expect((await failure(stored())).code).toBe("bundle_failed");
    await build();
    await stored();
  }
  expect(valueOf(await stored())).toEqual({ name: "Other", size: 2 });
});

test("an import that resolves to another file is bundled again", async () => {
  const { root, build, stored } = project();
  await build();
  renameSync(join(root, "lib/size.js"), join(root, "lib/size.mjs"));
  expect((await failure(stored())).code).toBe("bundle_failed");
  mkdirSync(join(root, "lib/size"));
  writeFileSync(join(root, "lib/size/index.js"), `export const size = 3;`);
  await build();
  writeFileSync(join(root, "lib/size.js"), `export const size = 4;`);
  expect(valueOf(await build())).toMatchObject({ size: 4 });
});

test("a removed file fails as without the cache", async () => {
  const { root, build } = project();
  await build();
  rmSync(join(root, "lib/size.js"));
  expect((await failure(build())).message).toContain(`"./lib/size" does not exist`);
});

const packaged = {
  "feed.mjs": `import { size } from "sizes"; import base from "sizes/base.json"; export default { size, ...base };`,
  "node_modules/sizes/package.json": `{ "name": "sizes", "version": "1.0.0", "main": "index.js" }`,
  "node_modules/sizes/index.js": `exports.size = require("./one");`,
  "node_modules/sizes/one.js": `module.exports = 1;`,
  "node_modules/sizes/base.json": `{ "base": 1 }`,
};
const use: PackageUse = { install: () => Promise.reject(new Error("Nothing is installed.")) };

test("packages of the author's own belong to the build, and move with it", async () => {
  const { root, build, stored } = project(packaged);
  const built = await build(use);
  expect(valueOf(built)).toEqual({ size: 1, base: 1 });
  expect(await stored(use)).toEqual(built);
  const moved = `${root}-moved`;
  renameSync(root, moved);
  expect(await reader.bundle({ file: join(moved, "feed.mjs"), root: moved }, use)).toEqual(built);
});

test.each([
  ["its code", { "node_modules/sizes/one.js": `module.exports = 2;` }],
  ["its version", { "node_modules/sizes/package.json": `{ "name": "sizes", "version": "1.0.1", "main": "index.js" }` }],
  ["its data", { "node_modules/sizes/base.json": `{ "base": 2 }` }],
  ["a file before another", { "node_modules/sizes/one": `module.exports = 3;` }],
  ["a description of a folder in it", { "node_modules/sizes/package.json": `{ "main": "other.js" }` }],
])("a build with packages is not used when the package has changed: %s", async (_, change) => {
  const { root, build, stored } = project(packaged);
  await build(use);
  writeFiles(root, ".", change);
  await expect(stored(use)).rejects.toThrow("took longer than");
});

test("a package that comes to lie nearer is found", async () => {
  const { root } = project({ ...packaged, "app/feed.mjs": packaged["feed.mjs"] });
  const input = { file: join(root, "app/feed.mjs"), root: join(root, "app") };
  expect(valueOf(await bundler.bundle(input, use))).toMatchObject({ size: 1 });
  await reader.bundle(input, use);
  writeFiles(root, "app/node_modules/sizes", {
    "package.json": `{ "name": "sizes", "version": "2.0.0" }`,
    "index.js": `exports.size = 2;`,
    "base.json": `{}`,
  });
  expect(valueOf(await bundler.bundle(input, use))).toMatchObject({ size: 2 });
});

test("a link that leads elsewhere is seen", async () => {
  const { root, build, stored } = project(packaged);
  renameSync(join(root, "node_modules/sizes"), join(root, "sizes-1"));
  writeFiles(root, "sizes-2", {
    "package.json": `{ "name": "sizes" }`,
    "index.js": `exports.size = 2;`,
    "base.json": "{}",
  });
  symlinkSync("../sizes-1", join(root, "node_modules/sizes"));
  expect(valueOf(await build(use))).toMatchObject({ size: 1 });
  await stored(use);
  rmSync(join(root, "node_modules/sizes"));
  symlinkSync("../sizes-2", join(root, "node_modules/sizes"));
  expect(valueOf(await build(use))).toMatchObject({ size: 2 });
});

test("a package of types that gets code in the end has it", async () => {
  const { root, build, stored } = project({
    "node_modules/@pipedream/types/package.json": `{ "name": "@pipedream/types", "version": "1.0.0", "main": "index.js" }`,
    "feed.mjs": `import { defineSource } from "@pipedream/types"; export default defineSource({ name: "Feed" });`,
  });
  expect(valueOf(await build(use))).toEqual({ name: "Feed" });
  await stored(use);
  writeFiles(root, "node_modules/@pipedream/types", {
    "index.js": `exports.defineSource = () => ({ name: "Other" });`,
  });
  expect(valueOf(await build(use))).toEqual({ name: "Other" });
});

test("builds with and without packages are different", async () => {
  const { build, stored } = project();
  await build();
  await expect(stored(use)).rejects.toThrow("took longer than");
  await build(use);
  await stored(use);
});

test("a damaged file is ignored", async () => {
  const { build, stored } = project();
  await build();
  const [name = ""] = readdirSync(builds);
  const whole = readFileSync(join(builds, name), "utf8");
  for (const torn of ["", whole.slice(0, 100), "null", "{}"]) {
    writeFileSync(join(builds, name), torn);
    await expect(stored()).rejects.toThrow("took longer than");
  }
  await build();
  await stored();
});

test("a folder that cannot be written is ignored", async () => {
  const { build, stored } = project();
  writeFileSync(builds, "a file");
  expect(valueOf(await build())).toMatchObject({ size: 1 });
  await expect(stored()).rejects.toThrow("took longer than");
});

test("of 200 builds the older half is evicted", async () => {
  const { build, stored } = project();
  mkdirSync(builds);
  for (let index = 0; index < 200; index++) writeFileSync(join(builds, `${index}.json`), "{}");
  await build();
  expect(readdirSync(builds)).toHaveLength(101);
  await stored();
});

test("an empty file that is no text any more is not taken for one that is still empty", async () => {
  const { root, build, stored } = project({
    "feed.mjs": `import "./lib/none.js"; export default {};`,
    "lib/none.js": "",
  });
  await build();
  await stored();
  writeFileSync(join(root, "lib/none.js"), Uint8Array.of(0xff));
  expect((await failure(build())).message).toContain(`"lib/none.js" is not UTF-8 text`);
});

test("a package that lies above where the project has been moved to is found", async () => {
  const optional = {
    "feed.mjs": `import size from "sizes"; export default { size };`,
    "node_modules/sizes/package.json": `{ "name": "sizes", "version": "1.0.0" }`,
    "node_modules/sizes/index.js": `try { module.exports = require("big"); } catch { module.exports = "none"; }`,
  };
  const { root, build } = project(optional);
  expect(valueOf(await build(use))).toEqual({ size: "none" });
  const above = writeFiles(base, `above${projects}`, {
    "node_modules/big/package.json": `{ "name": "big", "version": "1.0.0" }`,
    "node_modules/big/index.js": `module.exports = "big";`,
  });
  const moved = join(above, "one/two/three/project");
  mkdirSync(join(above, "one/two/three"), { recursive: true });
  renameSync(root, moved);
  const input = { file: join(moved, "feed.mjs"), root: moved };
  expect(valueOf(await bundler.bundle(input, use))).toEqual({ size: "big" });
});

test("a damaged file, and one of another user, is ignored", async () => {
  const { build, stored } = project();
  await build();
  const [name = ""] = readdirSync(builds);
  const path = join(builds, name);
  const whole = readFileSync(path, "utf8");
  writeFileSync(path, whole.replace("Feed", "Food"));
  await expect(stored()).rejects.toThrow("took longer than");
  writeFileSync(path, whole);
  await stored();
  // Only the system's administrator can give a file away, or be somebody else.
  if (process.geteuid?.() !== 0) return;
  chownSync(path, 12_345, 12_345);
  await expect(stored()).rejects.toThrow("took longer than");
  await build();
  await stored();
});

test("drafts of killed processes are evicted with the older half, and a large file before there are 200 builds", async () => {
  const { root, build, stored } = project();
  mkdirSync(builds);
  for (let index = 0; index < 200; index++) writeFileSync(join(builds, `${index}.json.12.0.5`), "{}");
  await build();
  expect(readdirSync(builds)).toHaveLength(101);
  const large = join(builds, "large.json");
  writeFileSync(large, "");
  truncateSync(large, 128 * 1024 * 1024);
  utimesSync(large, 0, 0);
  writeFileSync(join(root, "feed.mjs"), entry.replace("Feed", "Other"));
  await build();
  expect(readdirSync(builds)).not.toContain("large.json");
  await stored();
});
