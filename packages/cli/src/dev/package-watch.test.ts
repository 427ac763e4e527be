import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { makeFolder } from "../spawned.cases.ts";
import { createPackageWatch, type PackageWatch } from "./package-watch.ts";

const project = {
  "package.json": "{}",
  "node_modules/words/index.js": "old",
  "kit/index.js": "old",
  "sources/a.js": "",
};

let folder: Awaited<ReturnType<typeof makeFolder>>;
let watch: PackageWatch;
let told: string[];
let heard = (): void => undefined;

const at = (name: string): string => join(folder.path, name);
/** Every report of a change, up to this path. */
async function toldBy(path: string, act: () => void): Promise<readonly string[]> {
  told = [];
  const all = new Promise<void>((resolve) => {
    heard = () => void (told.includes(path) && resolve());
  });
  act();
  await all;
  return [...new Set(told)];
}
const watchFrom = (root: string): PackageWatch =>
  createPackageWatch({
    root: at(root),
    changed(path) {
      told.push(path.slice(folder.path.length + 1));
      heard();
    },
    failed(place, error) {
      throw new Error(place, { cause: error });
    },
  });

beforeEach(async () => {
  folder = await makeFolder(project);
  watch = watchFrom("sources");
  told = [];
});
afterEach(async () => {
  watch.close();
  await folder[Symbol.asyncDispose]();
});

test("a file of a package that is edited in place is reported, also in a package of the workspace", async () => {
  symlinkSync("../kit", at("node_modules/kit"));
  watch.follow(new Set([at("node_modules/words/index.js"), at("kit/index.js")]));
  expect(
    await toldBy("node_modules/words/index.js", () => {
      writeFileSync(at("node_modules/words/other.js"), "not one of them");
      writeFileSync(at("node_modules/words/index.js"), "new");
    }),
  ).toEqual(["node_modules/words/index.js"]);
  await toldBy("kit/index.js", () => writeFileSync(at("kit/index.js"), "new"));
});

test("an installation is reported when it has ended, and the new packages are watched from then on", async () => {
  const file = at("node_modules/words/index.js");
  watch.follow(new Set([file]));
  expect(
    await toldBy("node_modules", () => {
      renameSync(at("node_modules/words"), at("node_modules/.words-retired"));
      mkdirSync(at("node_modules/words"));
      writeFileSync(file, "new");
      rmSync(at("node_modules/.words-retired"), { recursive: true });
      writeFileSync(at("node_modules/.package-lock.json"), "{}");
    }),
  ).toEqual(["node_modules"]);
  watch.follow(new Set([file]));
  await toldBy("node_modules/words/index.js", () => writeFileSync(file, "newer"));
});

test("a package that is linked elsewhere is reported, and so is a first installation", async () => {
  symlinkSync("../kit", at("node_modules/kit"));
  watch.follow(new Set());
  const linked = await toldBy("node_modules", () => {
    unlinkSync(at("node_modules/kit"));
    symlinkSync("../kit2", at("node_modules/kit"));
  });
  expect(linked).toEqual(["node_modules"]);

  watch.close();
  rmSync(at("node_modules"), { recursive: true });
  watch = watchFrom("sources");
  watch.follow(new Set());
  const installed = await toldBy("node_modules", () => {
    mkdirSync(at("node_modules/words"), { recursive: true });
    writeFileSync(at("node_modules/.modules.yaml"), "");
  });
  expect(installed).toEqual(["node_modules"]);
});
