import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import type { PackageLock } from "../../model/src/package-lock.ts";
import { evaluate, failure, testBundler as bundler, writeFiles } from "./bundle.cases.ts";
import type { Bundled, PackageUse } from "./contract.ts";

const place = mkdtempSync(join(tmpdir(), "package-bundles-"));
const write = (folder: string, files: Readonly<Record<string, string>>): string => writeFiles(folder, "", files);
let count = 0;
const newFolder = (): string => {
  const folder = join(place, `tree-${(count += 1)}`);
  mkdirSync(folder);
  return folder;
};
write(place, { "outside/secret.json": `"canary-secret"`, "outside/secret.js": `module.exports = "canary-secret";` });
afterAll(() => rmSync(place, { recursive: true }));

/** Packages of the names at version 1.0.0, as if they had been installed. */
function installed(folder: string, names: readonly string[]): PackageUse {
  const locked = names.map((name) => [`node_modules/${name}`, { version: "1.0.0", integrity: "sha512-x" }] as const);
  const lock: PackageLock = {
    requests: Object.fromEntries(names.map((name) => [name, `node_modules/${name}`])),
    packages: Object.fromEntries(locked),
  };
  return { install: () => Promise.resolve({ folder, key: folder, lock }) };
}

interface Made {
  readonly files: Readonly<Record<string, string>>;
  readonly json?: object;
}

/** Bundles code with packages of these files. */
function bundle(code: string, packages: Readonly<Record<string, Made>>, more: object = {}): Promise<Bundled> {
  const folder = newFolder();
  for (const [name, { files, json }] of Object.entries(packages)) {
    const whole = { "package.json": JSON.stringify({ name, version: "1.0.0", ...json }), ...files };
    write(join(folder, "node_modules", name), whole);
  }
  return bundler.bundle({ code }, { ...installed(folder, Object.keys(packages)), ...more });
}

test("classes of packages leave no functions behind that QuickJS parses slowly, and keep their names and fields", async () => {
  const text = `export class Client { #secret = 1; name = "n"; static kind = "k"; get sum() { return this.#secret + 1; } }
    export class Failure extends Error { static { this.code = 2; } at = Client.kind; }`;
  const code = `import { Client, Failure } from "it"; const one = new Client(), failure = new Failure("f");
    export default [Client.name, Failure.name, one.name, one.sum, failure.at, Failure.code, Object.keys(one)];`;
  const { bundle: made } = await bundle(code, { it: { files: { "index.mjs": text }, json: { main: "index.mjs" } } });
  expect(made).not.toMatch(/static\s*\{|static kind|#secret/);
  expect(evaluate(made)).toMatchObject({ default: ["Client", "Failure", "n", 2, "k", 2, ["name"]] });
});

test("exports are honoured: conditions by the form of the import, and what is not exported is refused", async () => {
  const json = { exports: { ".": { import: "./esm.mjs", require: "./cjs.cjs" }, "./part": "./deep/part.js" } };
  const files = {
    "esm.mjs": `export default "esm";`,
    "cjs.cjs": `module.exports = "cjs";`,
    "deep/part.js": `module.exports = "part";`,
  };
  const code = `import a from "it"; import part from "it/part"; module.exports = [a, require("it"), part];`;
  expect(evaluate((await bundle(code, { it: { files, json } })).bundle)).toEqual(["esm", "cjs", "part"]);
  const error = await failure(bundle(`import x from "it/deep/part.js"; export default x;`, { it: { files, json } }));
  expect(error.message).toBe(
    `Package "it" imported by component.js cannot be resolved: the package does not export "./deep/part.js" to browsers or Node.`,
  );
});

test("a module keeps the meaning that its own folder gives it", async () => {
  const json = { type: "module", main: "cjs/index.js" };
  const files = { "cjs/package.json": `{ "type": "commonjs" }`, "cjs/index.js": `exports.a = exports.b = 1;` };
  expect(evaluate((await bundle(`module.exports = require("it");`, { it: { files, json } })).bundle)).toEqual({
    a: 1,
    b: 1,
  });
});

test("code that nothing uses stays out when its package has no side effects", async () => {
  const files = {
    "index.js": `export { used } from "./used.js"; export { unused } from "./unused.js";`,
    "used.js": `export const used = 1;`,
    "unused.js": `globalThis.canary = "unused"; export const unused = 2;`,
  };
  const json = { type: "module", sideEffects: false };
  const { bundle: text } = await bundle(`import { used } from "it"; export default used;`, { it: { files, json } });
  expect(text).not.toContain("unused");
  expect(evaluate(text)).toMatchObject({ default: 1 });
});

test.each([
  ["a computed relative path", `(name) => require("./" + name)`],
  ["a computed path out of the package", `(name) => require("../../../outside/" + name)`],
  ["a template", "(name) => require(`../../../outside/${name}.json`)"],
  ["an optional call", `(name) => require?.("../../../outside/" + name)`],
  ["a variable", `(name) => require(name)`],
])("%s in a package fails when it is called, and reads nothing", async (_, form) => {
  const code = `const load = require("it"); let error; try { load("secret.json"); } catch (e) { error = String(e.message); }
    module.exports = error;`;
  const { bundle: text } = await bundle(code, { it: { files: { "index.js": `module.exports = ${form};` } } });
  expect(text).not.toContain("canary-secret");
  expect(evaluate(text)).toMatch(/paths that are put together at run time|require is not defined/);
});

test("a method that is called require is a method", async () => {
  const files = { "index.js": `const a = { require: (x) => x }; module.exports = a.require("./" + "x");` };
  expect(evaluate((await bundle(`module.exports = require("it");`, { it: { files } })).bundle)).toBe("./x");
});

test.each([
  ["a relative path", `require("../../../outside/secret.json")`],
  ["a folder above", `require("../../outside-of-modules.js")`],
  ["a link", `require("./link.js")`],
  ["an absolute path", `require(${JSON.stringify(join(place, "outside/secret.json"))})`],
  ["a file URL", `require(${JSON.stringify(`file://${place}/outside/secret.js`)})`],
  ["an entry of package.json", `require("evil")`],
])("%s that leads out of the packages gives nothing", async (_, form) => {
  const folder = newFolder();
  write(join(folder, "node_modules/it"), { "package.json": `{"name":"it"}`, "index.js": `module.exports = ${form};` });
  write(join(folder, "node_modules/evil"), {
    "package.json": `{"name":"evil","main":"../../../outside/secret.js","exports":"./../../../outside/secret.js"}`,
  });
  write(folder, { "outside-of-modules.js": `module.exports = "canary-secret";` });
  symlinkSync(join(place, "outside/secret.js"), join(folder, "node_modules/it/link.js"));
  const made = await bundler.bundle({ code: `module.exports = require("it");` }, installed(folder, ["it"]));
  expect(made.bundle).not.toContain("canary-secret");
  expect(made.absent).toHaveLength(1);
  expect(() => evaluate(made.bundle)).toThrow("Cannot find module");
});

test("a path that begins with the file's own folder leads to its package", async () => {
  const files = {
    "lib/index.js": `module.exports = [require(__dirname + "/words.js"), require(__dirname + "/../more.js")];`,
    "lib/words.js": `module.exports = "words";`,
    "more.js": `module.exports = "more";`,
  };
  const { bundle: text } = await bundle(`module.exports = require("it");`, { it: { files, json: { main: "lib" } } });
  expect(evaluate(text)).toEqual(["words", "more"]);
});

test("a package that can do without a dependency is not held up by it", async () => {
  const files = {
    "index.js": `let x; try { x = require("not-there"); } catch (e) { x = e.code; } module.exports = x;`,
  };
  const made = await bundle(`module.exports = require("it");`, { it: { files } });
  expect(evaluate(made.bundle)).toBe("MODULE_NOT_FOUND");
  expect(made.absent).toMatchObject([{ specifier: "not-there", importer: "it/index.js", why: "absent" }]);
});

test.each(["style.css", "module.wasm", "types.ts", "data.txt"])("a package's %s is refused by name", async (name) => {
  const error = await failure(bundle(`import "it/${name}"; export default 1;`, { it: { files: { [name]: "" } } }));
  expect(error.code).toBe("package_refused");
  expect(error.message).toContain(`"it/${name}" is not a .js, .cjs, .mjs or .json file`);
});

test("frames of packages are named by package and path, two versions of one apart", async () => {
  const folder = newFolder();
  const json = (name: string, version: string): string => JSON.stringify({ name, version });
  write(join(folder, "node_modules"), {
    "inner/package.json": json("inner", "2.0.0"),
    "inner/index.js": `exports.two = 2;`,
    "outer/package.json": json("outer", "1.0.0"),
    "outer/index.js": `module.exports = [require("inner"), require("./lib/part.js")];`,
    "outer/lib/part.js": `exports.part = 3;`,
    "outer/node_modules/inner/package.json": json("inner", "1.0.0"),
    "outer/node_modules/inner/index.js": `exports.one = 1;`,
  });
  const code = `module.exports = [require("inner"), require("outer")];`;
  const { sourceMap } = await bundler.bundle({ code }, installed(folder, ["inner", "outer"]));
  const { sources } = JSON.parse(sourceMap) as { sources: string[] };
  expect(sources.toSorted()).toEqual(
    ["component.js", "inner/index.js", "inner@1.0.0/index.js", "outer/index.js", "outer/lib/part.js"].toSorted(),
  );
  expect(sourceMap).not.toContain(place);
});

test.each([
  ["index.js", { type: "module" }],
  ["index.js", {}],
  ["index.mjs", { main: "index.mjs" }],
])("a package's %s that cannot be parsed is named by package and path", async (name, json) => {
  const error = await failure(bundle(`import "it";`, { it: { files: { [name]: `var a;\nvar b = "open;` }, json } }));
  expect(error.details).toMatchObject({ errors: [{ file: `it/${name}`, line: 2, column: 15 }] });
  expect(error.message).toContain(` it/${name}:2:15: Unterminated string literal`);
});

test("the types package works where it was published without code", async () => {
  const code = `import { defineSource, defineApp } from "@pipedream/types"; export default [defineSource(1), defineApp(2)];`;
  const json = { types: "dist/index.d.ts", main: "dist/index.js" };
  const { bundle: text } = await bundle(code, { "@pipedream/types": { files: { "dist/index.d.ts": "" }, json } });
  expect(evaluate(text)).toMatchObject({ default: [1, 2] });
});

const nothing: PackageUse = { install: () => Promise.reject(new Error("nothing is installed here")) };
const project = (): string => {
  const folder = newFolder();
  write(folder, {
    "node_modules/it/package.json": `{"name":"it","version":"1.4.0"}`,
    "node_modules/it/index.js": `module.exports = ["project", require("./dep.js")];`,
    "node_modules/it/dep.js": `module.exports = require("dep");`,
    "node_modules/dep/package.json": `{"name":"dep","version":"3.0.0"}`,
    "node_modules/dep/index.js": `module.exports = "dep";`,
    "app/feed.mjs": `import it from "it"; export default it;`,
    "app/ranged.mjs": `import it from "it@^1.2.0"; export default it;`,
    "app/other.mjs": `import it from "it@^2.0.0"; export default it;`,
  });
  return folder;
};

test("a component that is deployed by its file uses the packages beside it, when their version fits", async () => {
  const folder = project();
  for (const name of ["feed.mjs", "ranged.mjs"]) {
    const made = await bundler.bundle({ file: join(folder, "app", name) }, nothing);
    expect(evaluate(made.bundle)).toMatchObject({ default: ["project", "dep"] });
    expect(made.packages).toEqual([
      {
        name: "it",
        version: "1.4.0",
        integrity: null,
        ...(name === "feed.mjs"
          ? { requested: "it", from: "node_modules" }
          : { requested: "it@^1.2.0", from: "import", range: "^1.2.0" }),
      },
      { name: "dep", version: "3.0.0", integrity: null },
    ]);
    expect(made.packageLock).toBeUndefined();
  }
  await expect(bundler.bundle({ file: join(folder, "app/other.mjs") }, nothing)).rejects.toThrow(
    "nothing is installed",
  );
});

test("a change of such a package makes another component; code sent as text has none of them", async () => {
  const folder = project();
  const input = { file: join(folder, "app/feed.mjs") };
  const before = await bundler.bundle(input, nothing);
  expect((await bundler.bundle(input, nothing)).contentHash).toBe(before.contentHash);
  write(folder, { "node_modules/dep/index.js": `module.exports = "changed";` });
  expect((await bundler.bundle(input, nothing)).contentHash).not.toBe(before.contentHash);
  await expect(bundler.bundle({ code: `import "it"` }, nothing)).rejects.toThrow("nothing is installed");
});

test("both versions of a package keep what they say has side effects", async () => {
  const folder = newFolder();
  for (const [place, version] of [
    ["node_modules/it", "1.0.0"],
    ["node_modules/dep/node_modules/it", "2.0.0"],
  ] as const) {
    write(folder, {
      [`${place}/package.json`]: JSON.stringify({ name: "it", version, main: "index.js", sideEffects: ["./side.js"] }),
      [`${place}/index.js`]: `import "./side.js"; export const it = globalThis.sides;`,
      [`${place}/side.js`]: `(globalThis.sides ??= []).push("${version}");`,
    });
  }
  write(folder, {
    "node_modules/dep/package.json": `{"name":"dep","version":"1.0.0"}`,
    "node_modules/dep/index.js": `export { it } from "it";`,
    "feed.mjs": `import { it } from "it"; import { it as other } from "dep"; export default [it, other];`,
  });
  const made = await bundler.bundle({ file: join(folder, "feed.mjs") }, nothing);
  expect(evaluate(made.bundle)).toMatchObject({
    default: [
      ["1.0.0", "2.0.0"],
      ["1.0.0", "2.0.0"],
    ],
  });
});

test.each([
  ["where its imports lead", { imports: { "#part": "./two.js" }, sideEffects: true }],
  ["what is ignored", { imports: { "#part": "./one.js" }, sideEffects: true, browser: { "no-such": false } }],
  ["what may be left out", { imports: { "#part": "./one.js" }, sideEffects: false }],
  ["its version", { imports: { "#part": "./one.js" }, sideEffects: true, version: "2.0.0" }],
])("a description of such a package that says otherwise makes another component: %s", async (_, otherwise) => {
  const folder = newFolder();
  const describe = (description: object): void => {
    const json = JSON.stringify({ name: "it", version: "1.0.0", type: "module", main: "index.js", ...description });
    write(folder, { "node_modules/it/package.json": json });
  };
  write(folder, {
    "feed.mjs": `import "it"; import part from "it/part.js"; export default part;`,
    "node_modules/it/index.js": `globalThis.loaded = "it";`,
    "node_modules/it/part.js": `import "./one.js"; import "./two.js"; export { default } from "#part";`,
    "node_modules/it/one.js": `globalThis.loaded += "one"; export default 1;`,
    "node_modules/it/two.js": `globalThis.loaded += "two"; import("no-such"); export default 2;`,
  });
  const input = { file: join(folder, "feed.mjs") };
  const hash = async (): Promise<string> =>
    (await bundler.bundle(input, { ...nothing, conditions: "browser" })).contentHash;
  describe({ imports: { "#part": "./one.js" }, sideEffects: true });
  const before = await hash();
  expect(await hash()).toBe(before);
  describe(otherwise);
  expect(await hash()).not.toBe(before);
});

test("links of a workspace lead to its packages, and to nothing beside them", async () => {
  const folder = newFolder();
  write(folder, {
    "packages/mine/package.json": `{"name":"mine","version":"1.0.0"}`,
    "packages/mine/index.js": `module.exports = ["mine", require("./part.js")];`,
    "packages/mine/part.js": `module.exports = "part";`,
    "packages/evil/package.json": `{"name":"evil","version":"1.0.0"}`,
    "packages/evil/index.js": `module.exports = require("../../outside.js");`,
    "outside.js": `module.exports = "canary-secret";`,
    "app/feed.mjs": `import mine from "mine"; export default mine;`,
    "app/evil.mjs": `import evil from "evil"; export default evil;`,
    "node_modules/.keep": "",
  });
  for (const name of ["mine", "evil"])
    symlinkSync(join(folder, "packages", name), join(folder, "node_modules", name), "dir");
  const good = await bundler.bundle({ file: join(folder, "app/feed.mjs") }, nothing);
  expect(evaluate(good.bundle)).toMatchObject({ default: ["mine", "part"] });
  const bad = await bundler.bundle({ file: join(folder, "app/evil.mjs") }, nothing);
  expect(bad.bundle).not.toContain("canary-secret");
});

test("what a package takes only where there is a browser is left out, and reads as it does without one", async () => {
  const files = {
    "index.js": `export { default as xhr } from "./lib/adapters/xhr.js"; export { default as other } from "./lib/xhr.js";`,
    "lib/adapters/xhr.js": `export default typeof XMLHttpRequest !== "undefined" && "canary";`,
    "lib/xhr.js": `export default "other";`,
  };
  const made = { files, json: { type: "module" } };
  const { bundle: text } = await bundle(`export { xhr, other } from "axios";`, { axios: made });
  expect(evaluate(text)).toMatchObject({ xhr: false, other: "other" });
  expect(text).not.toContain("canary");
});

/** The modules of axios that its two entries are made of. */
const axiosFiles = {
  "index.js": `import Axios from "./lib/core/Axios.js"; const axios = new Axios(); axios.default = axios; export default axios;`,
  "lib/core/Axios.js": `export default class Axios { request() {} }`,
  "dist/node/axios.cjs": `module.exports = { default: "canary" };`,
};

test("axios is one module however it is imported", async () => {
  const code = `import axios from "axios"; import sdk from "sdk";
    export default axios === sdk;`;
  const exports = {
    ".": { browser: "./none.js", default: { require: "./dist/node/axios.cjs", default: "./index.js" } },
  };
  const { bundle: text } = await bundle(code, {
    axios: { files: axiosFiles, json: { type: "module", version: "1.7.0", exports } },
    sdk: { files: { "index.js": `module.exports = require("axios");` } },
  });
  expect(evaluate(text)).toMatchObject({ default: true });
});
