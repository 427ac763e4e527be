import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";

import { failure } from "../bundle.cases.ts";
import { openTrial, type Trial } from "../../../runtime/src/runtime.cases.ts";
import { startTestRegistry, type TestRegistry } from "./registry.cases.ts";

const folder = mkdtempSync(join(tmpdir(), "package-failures-"));
const limits = {
  describeTimeoutMs: 1_000,
  packageTimeoutMs: 6_000,
  packageRequestTimeoutMs: 700,
  packagesPerComponent: 3,
  packageArchiveBytes: 64 * 1024,
  packageUnpackedBytes: 256 * 1024,
  bundleBytes: 200 * 1024,
};
let registry: TestRegistry;
let trial: Trial;
let cache = "";

beforeAll(async () => {
  registry = await startTestRegistry();
  cache = join(folder, "cache");
  trial = await openTrial({ workers: 0, limits, packages: { registry: registry.url, cache } });
});
const inCache = (name: string): string[] =>
  existsSync(join(cache, name)) ? readdirSync(join(cache, name)).sort() : [];
/** Complete packages stay in the cache, also those of a component that was then refused for its code. */
let keptBefore: readonly string[] = [];
beforeEach(() => {
  keptBefore = inCache("trees");
});
afterEach(() => registry.intercept(() => false));
const keepsNothing = (): void => expect(inCache("trees")).toEqual(keptBefore);
afterAll(async () => {
  await trial.runtime.close();
  await registry.close();
  rmSync(folder, { recursive: true });
});

const importing = (name: string): string =>
  `import * as it from "${name}"; export default { name: "Feed", version: "1", props: {}, run() { this.$emit(it); } };`;
/** The error of a deploy that leaves nothing behind. */
async function refusal(name: string): Promise<{ code: string; message: string; chain: unknown }> {
  const error = await failure(trial.deploy(importing(name)));
  expect(inCache("staging"), "what is half-done").toEqual([]);
  expect((await trial.runtime.sources({ limit: 100 })).items.map(({ source }) => source.name)).not.toContain(name);
  return { code: error.code, message: error.message, chain: error.details["chain"] };
}

test("a package that no registry has is unresolved", async () => {
  expect(await refusal("nobody-has-this")).toEqual({
    code: "package_unresolved",
    message: `Package "nobody-has-this" imported by component.js cannot be resolved: the registry has no such package.`,
    chain: ["component.js", "nobody-has-this"],
  });
});

test("a version that does not exist is unresolved, and says which", async () => {
  registry.publish("few-versions", "1.0.0", `exports.a = 1;`);
  expect(await refusal("few-versions@^9.9.9")).toMatchObject({
    code: "package_unresolved",
    message: `Package "few-versions@^9.9.9" imported by component.js cannot be resolved: the registry has no version ^9.9.9 of it; the newest is 1.0.0.`,
  });
  expect((await refusal("few-versions@beta")).message).toContain('the registry has no tag "beta" of it');
});

test("a dependency that does not exist is named with the package that needs it", async () => {
  registry.publish("needs-nothing-there", "1.0.0", `exports.a = 1;`, { dependencies: { "not-there": "^1.0.0" } });
  expect(await refusal("needs-nothing-there")).toMatchObject({
    code: "package_unresolved",
    chain: ["component.js", "needs-nothing-there", "not-there@^1.0.0"],
  });
});

test("an archive whose integrity differs from the listed one is not used", async () => {
  registry.publish("changed", "1.0.0", `exports.a = 1;`);
  registry.tamper("changed", "1.0.0", { "index.js": `exports.a = "evil";`, "package.json": "{}" });
  expect(await refusal("changed")).toMatchObject({
    code: "package_integrity",
    chain: ["component.js", "changed@1.0.0"],
  });
  keepsNothing();
});

test("an installation from a registry that never answers ends within the limit, and delays no other", async () => {
  registry.publish("quick", "1.0.0", `exports.a = 1;`);
  registry.intercept(({ url }) => url === "/never-answers");
  const stuck = failure(trial.deploy(importing("never-answers")));
  const other = await trial.deploy(importing("quick"));
  expect(other.component.packages).toHaveLength(1);
  expect((await stuck).code).toBe("package_unresolved");
});

test("redirects without an end are unresolved", async () => {
  registry.intercept(({ url = "" }, response) => {
    if (!url.startsWith("/around")) return false;
    response.writeHead(302, { location: url }).end();
    return true;
  });
  expect(await refusal("around")).toMatchObject({ code: "package_unresolved" });
});

test("a registry that fails is unresolved", async () => {
  registry.intercept(({ url }, response) => {
    if (url !== "/broken") return false;
    response.writeHead(500).end("no");
    return true;
  });
  expect(await refusal("broken")).toMatchObject({ code: "package_unresolved" });
});

test("an answer that is not JSON is unresolved", async () => {
  registry.intercept(({ url }, response) => {
    if (url !== "/garbage") return false;
    response.writeHead(200, { "content-type": "application/json" }).end("<html>");
    return true;
  });
  expect(await refusal("garbage")).toMatchObject({ code: "package_unresolved" });
});

test("more packages than the limit are refused before they are fetched", async () => {
  for (const each of [1, 2, 3]) registry.publish(`leaf-${each}`, "1.0.0", `exports.a = 1;`);
  registry.publish("branches", "1.0.0", `exports.a = 1;`, {
    dependencies: { "leaf-1": "1", "leaf-2": "1", "leaf-3": "1" },
  });
  registry.requests.length = 0;
  expect(await refusal("branches")).toMatchObject({
    code: "package_too_large",
    message: expect.stringContaining("needs 4 packages, and at most 3 are allowed; import a package for the one part"),
  });
  expect(registry.requests.filter((each) => each.endsWith(".tgz"))).toEqual([]);
});

test("a large archive is refused", async () => {
  const noise = Array.from({ length: 40_000 }, (_, index) => (index * 7919 * index).toString(36)).join("");
  registry.publish("large", "1.0.0", `exports.a = "${noise}";`);
  expect(await refusal("large")).toMatchObject({ code: "package_too_large", chain: ["component.js", "large@1.0.0"] });
  keepsNothing();
});

test("a small archive with much code is refused", async () => {
  registry.publish("inflated", "1.0.0", `exports.a = 1;${" ".repeat(300 * 1024)}`);
  expect(await refusal("inflated")).toMatchObject({
    code: "package_too_large",
    message: expect.stringContaining("files of the packages are larger than 262144 bytes"),
  });
  keepsNothing();
});

test.each(["git+https://127.0.0.1/x.git", "file:../../etc", "http://127.0.0.1/x.tgz", "github:a/b"])(
  "a dependency on %s is refused",
  async (address) => {
    const name = `wants-${address.replace(/\W/g, "")}`;
    registry.publish(name, "1.0.0", `exports.a = 1;`, { dependencies: { other: address } });
    expect(await refusal(name)).toMatchObject({ code: "package_refused", chain: ["component.js", name, "other"] });
  },
);

test.each([
  "file:../x",
  "a@file:../x",
  "link:../x",
  "workspace:*",
  "a@workspace:*",
  "git+ssh://host/x",
  "a@git+https://host/x",
  "github:a/b",
  "a@npm:b",
  "npm:b",
  "https://host/x.tgz",
  "a@https://host/x.tgz",
  "-x",
  "a@./x",
])("import of %s is refused without any request", async (specifier) => {
  registry.requests.length = 0;
  expect(await refusal(specifier)).toMatchObject({
    code: "package_refused",
    message: expect.stringContaining(specifier),
  });
  expect(registry.requests).toEqual([]);
});

test("a package that is compiled when it is installed is refused, also when its native part would be loaded later", async () => {
  const lazy = { "index.js": `module.exports = class { open() { return require("bindings")("lazy.node"); } };` };
  registry.publish("lazily-native", "1.0.0", lazy, { scripts: { install: "prebuild-install || node-gyp rebuild" } });
  expect(await refusal("lazily-native")).toMatchObject({
    code: "package_native",
    message:
      'Package "lazily-native" imported by component.js is native code: it is compiled for one kind of machine, and components run in a sandbox that has none.',
  });
});

test("native code is refused with the package that needs it and its importers", async () => {
  registry.publish("native", "1.0.0", {
    "index.js": `module.exports = require("./build/Release/native.node");`,
    "build/Release/native.node": "ELF",
  });
  registry.publish("uses-native", "1.0.0", `module.exports = require("native");`, { dependencies: { native: "1" } });
  expect(await refusal("uses-native")).toEqual({
    code: "package_native",
    message:
      'Package "native" imported by component.js -> uses-native/index.js -> native/index.js is native code: ' +
      "native/index.js loads ./build/Release/native.node, which is compiled for one kind of machine, and components run in a sandbox that has none.",
    chain: ["component.js", "uses-native/index.js", "native/index.js", "./build/Release/native.node"],
  });
});

test.each([
  ["a page", "document.createElement('a');", "document is not defined; it needs a web page, and components have none"],
  ["a socket", "require('net').connect(80, 'host');", "net.connect is not available to components"],
])("a package that needs %s when it is loaded is reported with its importers", async (what, code, problem) => {
  const name = `needs-${what.replace(" ", "-")}`;
  registry.publish(name, "1.0.0", code);
  registry.publish(`over-${name}`, "1.0.0", `require("${name}");`, { dependencies: { [name]: "1" } });
  const { code: refused, message, chain } = await refusal(`over-${name}`);
  expect(refused).toBe("package_failed");
  expect(message).toContain(`Package "${name}" imported by component.js -> over-${name}/index.js -> ${name}/index.js`);
  expect(message).toContain(problem);
  expect(chain).toEqual(["component.js", `over-${name}/index.js`, `${name}/index.js`, name]);
});

test.each([
  ["ssh2", "it opens SSH connections, and components have no sockets"],
  ["@acme/ffmpeg", "it starts a program, and components start none; use a service"],
  ["sharp", "it runs native code, and components run none; use a package in JavaScript"],
])("an error says what a package needs, also when it failed over something else: %s", async (name, need) => {
  registry.publish(name, "1.0.0", `throw new TypeError("no constructor");`);
  const { code, message } = await refusal(name);
  expect(code).toBe("package_failed");
  expect(message).toContain(`no constructor; ${need}`);
});

test("a package that reads a file of its own when it is loaded says so, and what to do instead", async () => {
  const code = `require("fs").readFileSync(__dirname + "/data/headers.json");`;
  registry.publish("reads-data", "1.0.0", { "index.js": code, "data/headers.json": "{}" });
  const error = await failure(trial.deploy(importing("reads-data")));
  expect(error.code).toBe("package_failed");
  expect(error.details["hint"]).toMatch(
    /^reads-data reads data\/headers\.json, a file of its own, and only code and JSON/,
  );
});

test("a package that takes too long to load is named", async () => {
  registry.publish("endless", "1.0.0", `for (;;);`);
  expect(await refusal("endless")).toEqual({
    code: "package_failed",
    message: `Package "endless" imported by component.js cannot be loaded: Error: Evaluating the module took longer than 3000 ms.`,
    chain: ["component.js", "endless"],
  });
});

test("a package that exports nothing for components is reported; one for Node alone works", async () => {
  registry.publish("other-world", "1.0.0", `exports.a = 1;`, { exports: { "react-native": "./index.js" } });
  const { code, message } = await refusal("other-world");
  expect(code).toBe("package_unresolved");
  expect(message).toContain('the package does not export "." to browsers or Node');
  registry.publish("node-alone", "1.0.0", `exports.a = 1;`, { exports: { node: "./index.js" } });
  expect((await trial.deploy(importing("node-alone"))).component.packages).toHaveLength(1);
});

test("a package with optional native code works", async () => {
  registry.publish("optional-native", "1.0.0", {
    "index.js": `let fast; try { fast = require("./fast.node"); } catch { fast = undefined; } exports.fast = fast === undefined;`,
    "fast.node": "ELF",
  });
  const { component } = await trial.deploy(importing("optional-native"));
  expect(component.packages).toHaveLength(1);
});

test("a bundle that is too large is refused", async () => {
  const words = Array.from({ length: 6_000 }, (_, index) => `"${"word".repeat(8)}${index}"`).join();
  registry.publish("wordy", "1.0.0", `module.exports = [${words}];`);
  expect(await refusal("wordy")).toMatchObject({
    code: "package_too_large",
    message: expect.stringMatching(/the bundle has \d+ bytes, and at most 204800 are allowed; import a sub-path/),
  });
});
