import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { XError } from "../../model/src/errors.ts";
import { evaluate, failure, testBundler as bundler, writeFiles } from "./bundle.cases.ts";
import type { Bundled, PackageUse } from "./contract.ts";

const place = mkdtempSync(join(tmpdir(), "workspace-packages-"));
afterAll(() => rmSync(place, { recursive: true }));
let count = 0;
const folderOf = (files: Record<string, string | object>): string => {
  const texts = Object.entries(files).map(([name, text]) => [
    name,
    typeof text === "string" ? text : JSON.stringify(text),
  ]);
  return writeFiles(place, String((count += 1)), Object.fromEntries(texts) as Record<string, string>);
};

/** A workspace with links, as package managers make them. */
function workspace(files: Record<string, string | object>): string {
  const root = folderOf({ "node_modules/.keep": "", "app/node_modules/@acme/.keep": "", ...files });
  symlinkSync("../../../packages/lib", join(root, "app/node_modules/@acme/lib"), "dir");
  return root;
}
const uninstallable: PackageUse = { install: () => Promise.reject(new Error("nothing is installed here")) };
const lib = {
  "packages/lib/package.json": {
    name: "@acme/lib",
    version: "1.0.0",
    type: "module",
    imports: { "#inner": "./src/inner.mts" },
    exports: { ".": "./index.ts", "./extra": { types: "./src/extra.ts", default: "./src/extra.ts" } },
  },
  "packages/lib/index.ts": `import { two } from "./src/two.js"; import { inner } from "#inner"; import { bare } from "./src/bare";
    enum Kind { One = 1 }
    export const lib = (more: number): number[] => [Kind.One, two, inner, bare, more satisfies number];`,
  "packages/lib/src/two.ts": `export const two: number = 2;`,
  "packages/lib/src/inner.mts": `export const inner: number = 3;`,
  "packages/lib/src/bare.cts": `exports.bare = 4 as number;`,
  "packages/lib/src/extra.ts": `export const extra = <T,>(given: T): T => given;`,
  "app/package.json": { name: "app", dependencies: { "@acme/lib": "workspace:*" } },
};

test.each([
  ["a.ts", `import { lib } from "@acme/lib"; import { extra } from "@acme/lib/extra"; export default lib(extra(5));`],
  ["a.mjs", `import * as all from "@acme/lib"; export default all.lib(5);`],
  ["a.cjs", `module.exports = { default: require("@acme/lib").lib(5) };`],
])("S59 a package of the workspace may be TypeScript: %s", async (name, code) => {
  const root = workspace({ ...lib, [`app/src/${name}`]: code });
  for (const folder of ["app", "."]) {
    const made = await bundler.bundle({ file: join(root, "app/src", name), root: join(root, folder) }, uninstallable);
    expect(evaluate(made.bundle)).toMatchObject({ default: [1, 2, 3, 4, 5] });
    expect(made.packages).toMatchObject([{ name: "@acme/lib", version: "1.0.0" }]);
  }
});

test("S59 a problem in TypeScript of the workspace has the name of the package's file; TypeScript in node_modules is refused", async () => {
  const root = workspace({
    ...lib,
    "packages/lib/index.ts": `export const one: number = 1;\nexport const two = ;`,
    "app/a.ts": `import "@acme/lib"; export default 1;`,
    "app/b.ts": `import "typed"; export default 1;`,
    "node_modules/typed/package.json": { name: "typed", version: "1.0.0", main: "index.ts" },
    "node_modules/typed/index.ts": "export {};",
  });
  const bundleOf = (name: string): Promise<Bundled> => bundler.bundle({ file: join(root, "app", name) }, uninstallable);
  expect((await failure(bundleOf("a.ts"))).details).toMatchObject({
    errors: [{ file: "@acme/lib/index.ts", line: 2, column: 20 }],
  });
  expect((await failure(bundleOf("b.ts"))).message).toContain(
    `"typed/index.ts" is not a .js, .cjs, .mjs or .json file`,
  );
});

test.each([
  [{}, `is installed and has no entry file: its package.json names none, and it has no index.js`],
  [{ main: "dist/a.js" }, `is installed and has no entry file: its package.json names "dist/a.js", which is not there`],
  [{ types: "a.d.ts" }, `is installed and has no entry file: its package.json names none`],
  [{ exports: { ".": "./dist/a.js" } }, `exports "." from a file that is not there; was the package built?`],
])("S59 an installed package without its entry file is named so: %j", async (fields, reason) => {
  const root = folderOf({
    "node_modules/it/package.json": { name: "it", version: "1.0.0", ...fields },
    "a.js": `import it from "it"; export default it;`,
  });
  const error = await failure(bundler.bundle({ file: join(root, "a.js") }, uninstallable));
  expect(error.code).toBe("package_unresolved");
  expect(error.message).toContain(reason);
});

test("S59 a package of the workspace that only a registry could have is refused with a hint", async () => {
  const sent = {
    entry: "a.ts",
    files: {
      "a.ts": `import { lib } from "@acme/lib"; export default lib;`,
      "package.json": JSON.stringify(lib["app/package.json"]),
    },
  };
  const details = { package: "@acme/lib" };
  const install = (): Promise<never> =>
    Promise.reject(
      new XError("package_unresolved", ["@acme/lib", "a.ts", "the registry has no such package"], { details }),
    );
  expect((await failure(bundler.bundle(sent, { install }))).details["hint"]).toMatch(
    /^package\.json has it as "workspace:\*", and it is not installed here: /,
  );
});

test("S59 JSX in JavaScript is in .jsx files; packages of a workspace may have it too", async () => {
  const root = workspace({
    ...lib,
    "packages/lib/index.ts": `export * from "./src/view";`,
    "packages/lib/src/view.tsx": `const h = (tag: string): string => tag; export const view = <p />;`,
    "app/tsconfig.json": { compilerOptions: { jsxFactory: "h" } },
    "app/view.jsx": `import { view } from "@acme/lib"; const h = (tag) => tag; export default [view, <em />];`,
    "app/a.js": `import view from "./view"; export default view;`,
  });
  const made = await bundler.bundle({ file: join(root, "app/a.js") }, uninstallable);
  expect(evaluate(made.bundle)).toMatchObject({ default: ["p", "em"] });
});
