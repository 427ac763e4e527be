import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { createSharedPackages, sharedId } from "./shared-packages.ts";
import type { PackageBudget } from "./unpack.ts";

const place = mkdtempSync(join(tmpdir(), "shared-packages-"));
afterAll(() => rmSync(place, { recursive: true }));

const files = { "package.json": "{}", "lib/index.js": "1", "lib/deep/a.js": "22", "node_modules/own/index.js": "333" };
let count = 0;

function openShared() {
  const folder = join(place, String((count += 1)));
  const shared = createSharedPackages(join(folder, "unpacked"), join(folder, "staging"));
  const taken = { archives: 0, files: 0, bytes: 0 };
  const budget: PackageBudget = {
    takeArchive: (bytes) => void (taken.archives += bytes),
    takeFile(bytes) {
      taken.files += 1;
      taken.bytes += bytes;
    },
  };
  let unpacked = 0;
  const unpack = (into: string): Promise<number> => {
    unpacked += 1;
    budget.takeArchive(50);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(into, path)), { recursive: true });
      writeFileSync(join(into, path), text);
      budget.takeFile(text.length);
    }
    return Promise.resolve(50);
  };
  return {
    folder,
    taken,
    unpacks: () => unpacked,
    put: (target: string, id = "id") => shared.put(id, join(folder, target), unpack, budget),
    unpack,
  };
}

const contentOf = (folder: string): object =>
  Object.fromEntries(Object.keys(files).map((path) => [path, readFileSync(join(folder, path), "utf8")]));

test("a package is unpacked once; every tree has links to its files, and counts them", async () => {
  const { folder, put, taken, unpacks } = openShared();
  for (const target of ["a", "b/node_modules/it", "c"]) {
    await put(target);
    expect(contentOf(join(folder, target))).toEqual(files);
  }
  expect(unpacks()).toBe(1);
  expect(taken).toEqual({ archives: 150, files: 12, bytes: 24 });
  expect(statSync(join(folder, "c", "lib/index.js")).nlink).toBe(4);
  expect(readdirSync(join(folder, "staging"))).toEqual([]);
});

test("trees that are made at once have all files, and one copy is kept", async () => {
  const { folder, put } = openShared();
  const targets = ["a", "b", "c", "d"];
  await Promise.all(targets.map((target) => put(target)));
  for (const target of targets) expect(contentOf(join(folder, target))).toEqual(files);
  expect(readdirSync(join(folder, "unpacked"))).toEqual(["id"]);
});

test("a package below another one stays when it was there first", async () => {
  const { folder, put } = openShared();
  await put("a/node_modules/inner", "inner");
  await put("a");
  expect(contentOf(join(folder, "a"))).toEqual(files);
  expect(contentOf(join(folder, "a/node_modules/inner"))).toEqual(files);
});

test("a package with missing or cut files is unpacked again", async () => {
  const { folder, put, unpacks } = openShared();
  const whole = join(folder, "unpacked", "id");
  const breaks = [
    () => rmSync(join(whole, "package", "lib/deep"), { recursive: true }),
    () => rmSync(join(whole, "content.json")),
    () => writeFileSync(join(whole, "content.json"), ""),
    () => rmSync(join(folder, "unpacked"), { recursive: true }),
    () => {
      rmSync(join(whole, "package", "lib/index.js"));
      writeFileSync(join(whole, "package", "lib/index.js"), "");
    },
  ];
  await put("first");
  for (const [index, breakIt] of breaks.entries()) {
    breakIt();
    await put(`after ${index}`);
    expect(contentOf(join(folder, `after ${index}`))).toEqual(files);
    expect(contentOf(join(folder, "first"))).toEqual(files);
    await put(`again ${index}`);
    const before = unpacks();
    await put(`linked ${index}`);
    expect(unpacks()).toBe(before);
  }
});

test.each([
  ["sha512-abc==", true],
  ["sha1-abc sha512-abc==", true],
  ["sha1-abc", false],
  ["xsha512-abc", false],
  [undefined, false],
])("integrity %s is shared: %s", (integrity, isShared) => {
  const locked = { version: "1.0.0", ...(integrity !== undefined && { integrity }) };
  expect(sharedId(locked) !== undefined).toBe(isShared);
});
