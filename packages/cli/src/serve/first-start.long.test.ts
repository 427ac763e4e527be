import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { makeFolder, runX, spawnX } from "../spawned.cases.ts";
import { startServiceHere } from "./service-here.cases.ts";

const good = `export default { name: "Good", version: "1", run() {} };`;
const fail = (): Promise<never> => Promise.reject(new Error("not today"));

test("a first start that fails leaves no folder, and the next one prints the API key", async () => {
  await using folder = await makeFolder({ "bad.js": `export default { name: 1 };`, "good.js": good });
  const options = { cwd: folder.path };
  const failed = await runX(["serve", "bad.js", "--port", "0", "--data", "some/data"], options);
  expect([failed.code, failed.out]).toEqual([1, ""]);
  expect(existsSync(join(folder.path, "some"))).toBe(false);
  await using second = spawnX(["serve", "good.js", "--port", "0", "--data", "some/data"], options);
  await second.printed(/^API key \(new, keep it\): \S+$/m);
});

test("a registry that is not there is refused before anything is made", async () => {
  await using folder = await makeFolder();
  const registry = join(folder.path, "nowhere");
  await expect(startServiceHere(folder.path, { registry })).rejects.toMatchObject({ code: "invalid_options" });
  expect(readdirSync(folder.path)).toEqual([]);
});

test("what was in the folder before stays", async () => {
  await using folder = await makeFolder({ "data/account.json": "{}", "data/packages/own": "" });
  await expect(startServiceHere(folder.path, { prepare: fail })).rejects.toThrow("not today");
  expect(readdirSync(join(folder.path, "data")).sort()).toEqual(["account.json", "packages"]);
  expect(readdirSync(join(folder.path, "data/packages"))).toEqual(["own"]);
});

test("a file that somebody else puts into a new folder meanwhile stays, with the folder", async () => {
  await using folder = await makeFolder();
  const prepare = (): Promise<never> => {
    writeFileSync(join(folder.path, "data/notes.txt"), "");
    return fail();
  };
  await expect(startServiceHere(folder.path, { prepare })).rejects.toThrow("not today");
  expect(readdirSync(join(folder.path, "data"))).toEqual(["notes.txt"]);
});

test("the data of a start that has deployed a source stays, and so does data of a service before", async () => {
  await using folder = await makeFolder();
  const deployed = startServiceHere(folder.path, {
    async prepare(runtime) {
      await runtime.deploy({ code: good });
      await fail();
    },
  });
  await expect(deployed).rejects.toThrow("not today");
  await expect(startServiceHere(folder.path, { prepare: fail })).rejects.toThrow("not today");
  await using service = await startServiceHere(folder.path);
  expect(await service.runtime.sources({ limit: 10 })).toMatchObject({ totalCount: 1 });
});

test("a first start beside another one, which has the folder, removes nothing", async () => {
  await using folder = await makeFolder();
  mkdirSync(join(folder.path, "data"));
  let second: Promise<unknown> | undefined;
  await using service = await startServiceHere(folder.path, {
    async prepare() {
      second = startServiceHere(folder.path).catch((error: unknown) => error);
      expect(await second).toMatchObject({ code: "store_locked" });
    },
  });
  await service.runtime.deploy({ code: good });
  expect(readdirSync(join(folder.path, "data"))).toEqual(expect.arrayContaining(["x.db", "x.key", "x.lock"]));
});
