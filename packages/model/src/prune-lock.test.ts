import { expect, test } from "vitest";

import type { PackageLock } from "./package-lock.ts";
import { pruneLock } from "./prune-lock.ts";

const at = (version: string, fields: object = {}) => ({ version, ...fields });
const lock: PackageLock = {
  requests: { a: "node_modules/a", "@s/b@1": "node_modules/@s/b", "a@1": "node_modules/a__2", c: "node_modules/c" },
  packages: {
    "node_modules/a": at("2.0.0", { dependencies: { shared: "^2.0.0" } }),
    "node_modules/a/node_modules/shared": at("2.0.0", { dependencies: { deep: "*" } }),
    "node_modules/a__2": at("1.0.0", { dependencies: { shared: "^1.0.0" } }),
    "node_modules/@s/b": at("1.0.0", { peerDependencies: { c: "*" }, peerDependenciesMeta: { c: { optional: true } } }),
    "node_modules/@s/b/node_modules/own": at("1.0.0", { dependencies: { shared: "*" } }),
    "node_modules/c": at("1.0.0", {
      optionalDependencies: { native: "*" },
      peerDependencies: { deep: "*" },
      dependencies: { a: "*", gone: "*" },
    }),
    "node_modules/deep": at("1.0.0"),
    "node_modules/native": at("1.0.0", { optional: true }),
    "node_modules/shared": at("1.0.0"),
  },
};

test.each([
  [["a"], ["a", "a/node_modules/shared", "deep"]],
  [["a@1"], ["a__2", "shared"]],
  [["@s/b@1"], ["@s/b"]],
  [
    ["@s/b@1", "a@1"],
    ["a__2", "@s/b", "shared"],
  ],
  [["c"], ["a", "a/node_modules/shared", "c", "deep", "native"]],
  [[], []],
])("a lock for %j has what Node finds for it", (specifiers, folders) => {
  const part = pruneLock(lock, specifiers);
  expect(Object.keys(part?.requests ?? {}).toSorted()).toEqual(specifiers.toSorted());
  expect(Object.keys(part?.packages ?? {})).toEqual(folders.map((folder) => `node_modules/${folder}`));
});

test("a lock for all of it is the same lock", () => {
  const { "node_modules/@s/b/node_modules/own": _, ...packages } = lock.packages;
  expect(pruneLock(lock, Object.keys(lock.requests))).toEqual({ ...lock, packages });
});

test.each([["d"], ["a@2"], ["toString"], ["__proto__"]])("there is none for %s", (specifier) => {
  expect(pruneLock(lock, ["a", specifier])).toBeUndefined();
});

test("circles end, and names of prototypes are names", () => {
  const packages = {
    "node_modules/a": at("1.0.0", { dependencies: { b: "*", constructor: "*" } }),
    "node_modules/b": at("1.0.0", { dependencies: { a: "*", toString: "*" } }),
    "node_modules/constructor": at("1.0.0", { peerDependencies: { valueOf: "*" } }),
  };
  expect(pruneLock({ requests: { b: "node_modules/b" }, packages }, ["b"])?.packages).toEqual(packages);
});
