import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";

import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { makeFolder } from "../spawned.cases.ts";
import { checkPackages } from "./check-packages.ts";

beforeAll(() => void vi.stubEnv("npm_config_user_agent", undefined));
afterAll(() => void vi.unstubAllEnvs());

const system = "linux-x64";

/** Links as package managers make them: path in the folder, target. */
function link(folder: string, links: Readonly<Record<string, string>>): void {
  for (const [path, target] of Object.entries(links)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(target, join(folder, path));
  }
}

test("packages that were installed on this system are well, from a folder in the project, too", async () => {
  await using npm = await makeFolder({
    "node_modules/esbuild/package.json": "{}",
    "node_modules/@esbuild/linux-x64/package.json": "{}",
    "src/a.js": "",
  });
  const found = join(npm.path, "node_modules");
  expect(checkPackages(join(npm.path, "src"), system, false)).toEqual({ check: "packages", status: "ok", found });
  await using pnpm = await makeFolder({
    "node_modules/.pnpm/@esbuild+linux-x64@0.28.2/node_modules/@esbuild/linux-x64/package.json": "{}",
    "node_modules/.pnpm/esbuild@0.28.2/node_modules/esbuild/package.json": "{}",
    "apps/a/package.json": "{}",
  });
  link(pnpm.path, {
    "node_modules/esbuild": ".pnpm/esbuild@0.28.2/node_modules/esbuild",
    // A member of a workspace.
    "apps/a/node_modules/esbuild": "../../../node_modules/.pnpm/esbuild@0.28.2/node_modules/esbuild",
  });
  for (const folder of ["", "apps/a"])
    expect(checkPackages(join(pnpm.path, folder), system, false)).toMatchObject({ status: "ok" });
  await using empty = await makeFolder();
  expect(checkPackages(empty.path, system, false)).toMatchObject({ status: "skipped" });
});

test.each([
  ["node_modules/@esbuild/darwin-arm64/package.json", "darwin-arm64"],
  ["node_modules/.pnpm/@esbuild+win32-x64@0.28.2/node_modules/@esbuild/win32-x64/package.json", "win32-x64"],
])("node_modules of another system (%s) are a problem", async (file, other) => {
  await using folder = await makeFolder({ [file]: "{}" });
  expect(checkPackages(folder.path, system, false)).toEqual({
    check: "packages",
    status: "problem",
    found: `node_modules is for ${other}, and this is linux-x64`,
    advice: "remove node_modules and install on this machine: npm install",
  });
});

test("links of pnpm without what they lead to are a problem, and links to a store for many projects a warning", async () => {
  await using folder = await makeFolder({ "store/v11/note": "" });
  const hash = "5d9cd8f76f36ce8365799bb83cf1ced1a518dedbfbd8bbd0278c7e2bd1a9daf0";
  const package1 = `store/v11/links/@x/cli/0.1.0/${hash}/node_modules/@x/cli`;
  const package2 = `store/v11/links/@/picomatch/4.0.7/${hash}/node_modules/picomatch`;
  link(folder.path, {
    "project/node_modules/@x/cli": `../../../${package1}`,
    "project/node_modules/picomatch": `../../${package2}`,
  });
  const project = join(folder.path, "project");
  vi.stubEnv("npm_config_user_agent", "pnpm/12.21.0 npm/? node/v24.15.0 linux x64");
  expect(checkPackages(project, system, false)).toMatchObject({
    status: "problem",
    found: `@x/cli is a link to ${join(folder.path, package1)}, which is not here or may not be read`,
    advice: expect.stringMatching(/ on this machine, as the user of the service: pnpm install$/) as string,
  });
  vi.stubEnv("npm_config_user_agent", undefined);
  for (const path of [package1, package2]) mkdirSync(join(folder.path, path), { recursive: true });
  expect(checkPackages(project, system, false)).toMatchObject({
    status: "warning",
    found: `node_modules is links to the store of pnpm in ${join(folder.path, "store/v11")}`,
    advice: expect.stringContaining("pnpm install") as string,
  });
});

test("a project with Plug'n'Play needs yarn to start x, unless it has node_modules, too", async () => {
  await using folder = await makeFolder({ ".pnp.cjs": "", "node_modules/.vite/results.json": "{}" });
  expect(checkPackages(folder.path, system, false)).toMatchObject({
    status: "problem",
    found: expect.stringMatching(/ has Yarn's Plug'n'Play and no node_modules, /) as string,
    advice: "start it with yarn x, or write nodeLinker: node-modules to .yarnrc.yml and run yarn install",
  });
  expect(checkPackages(folder.path, system, true)).toMatchObject({ status: "ok" });
  mkdirSync(join(folder.path, "node_modules/@x/cli"), { recursive: true });
  expect(checkPackages(folder.path, system, false)).toMatchObject({ status: "ok" });
});
