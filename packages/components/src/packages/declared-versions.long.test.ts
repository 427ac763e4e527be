import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { createEngine } from "../../../runtime/src/engine.ts";
import { failure } from "../bundle.cases.ts";
import { recordLog, keyed, writeAll } from "../registry/registry.cases.ts";
import { makeFolder, openTrial, removeFolders, type Trial } from "../../../runtime/src/runtime.cases.ts";
import { startTestRegistry, type TestRegistry } from "./registry.cases.ts";

let npm: TestRegistry;
let trial: Trial;

beforeAll(async () => {
  npm = await startTestRegistry();
  for (const version of ["1.0.0", "1.2.0", "1.9.0", "2.0.0", "3.0.0-rc.1", "3.0.0"])
    for (const name of ["it", "@scope/it", "other"])
      npm.publish(name, version, `module.exports = "${name} ${version}";`);
  trial = await openTrial({ packages: { registry: npm.url, cache: join(makeFolder(), "cache") } });
});
afterAll(async () => {
  await trial.runtime.close();
  await npm.close();
  removeFolders();
});

const manifest = (dependencies: object, more: object = {}): string =>
  JSON.stringify({ name: "mine", dependencies, ...more });
const feed = (imported = "it"): string =>
  `import it from "${imported}"; export default { name: "Feed", version: "1", run() { this.$emit(it); } };`;

interface Project {
  readonly root: string;
  readonly file: string;
}

/** The component is `feed.mjs` by default. */
function project(files: Readonly<Record<string, string>>, file = "feed.mjs"): Project {
  const root = makeFolder();
  writeAll(root, { "feed.mjs": feed(), ...files });
  return { root, file: join(root, file) };
}

async function emitted(given: Project): Promise<unknown> {
  const { source } = await trial.runtime.deploy(given);
  const { error } = await trial.runtime.invoke(source.id);
  expect(error).toBeNull();
  return (await trial.payloads(source.id)).at(-1);
}

const without = (given: object, name: string): object =>
  Object.fromEntries(Object.entries(given).filter(([each]) => each !== name));
const packagesOf = async (given: Project): Promise<object[]> => {
  const { packages = [] } = await trial.runtime.saveComponent(given);
  return packages.map((each) => without(each, "integrity"));
};

test.each([
  ["dependencies", "^1.0.0", "1.9.0"],
  ["devDependencies", ">=1.0.0 <1.5", "1.2.0"],
  ["peerDependencies", "1 || 2", "2.0.0"],
  ["optionalDependencies", "~1.0.0", "1.0.0"],
  ["dependencies", "*", "3.0.0"],
  ["dependencies", "", "3.0.0"],
  ["dependencies", "latest", "3.0.0"],
  ["dependencies", " 1.x ", "1.9.0"],
  ["dependencies", "3.0.0-rc.1", "3.0.0-rc.1"],
  ["dependencies", "workspace:^1.0.0", "1.9.0"],
  ["dependencies", "workspace:*", "3.0.0"],
])("S38 %s with the range %s hold for an import without a version", async (field, range, version) => {
  const given = project({ "package.json": JSON.stringify({ [field]: { it: range } }) });
  expect(await emitted(given)).toBe(`it ${version}`);
  expect(await packagesOf(given)).toEqual([
    { name: "it", version, requested: "it", from: "package.json", range, manifest: "package.json" },
  ]);
});

test("S38 a version in the import has priority over the package.json; without either the current version is used", async () => {
  const files = { "package.json": manifest({ it: "^1.0.0" }) };
  const written = project({ ...files, "feed.mjs": feed("it@2.0.0") });
  expect(await emitted(written)).toBe("it 2.0.0");
  expect(await packagesOf(written)).toMatchObject([{ requested: "it@2.0.0", from: "import", range: "2.0.0" }]);
  const unnamed = project({ ...files, "feed.mjs": feed("other") });
  expect(await emitted(unnamed)).toBe("other 3.0.0");
  expect(await packagesOf(unnamed)).toEqual([{ name: "other", version: "3.0.0", requested: "other", from: "latest" }]);
});

test("S38 the nearest package.json of the importing file is used, inside the root, also for scopes and sub-paths", async () => {
  const entry = `import { it } from "./near/it.mjs"; import far from "@scope/it/index.js";
    export default { name: "Feed", version: "1", run() { this.$emit([it, far]); } };`;
  const near = { "near/it.mjs": `export { default as it } from "@scope/it";` };
  const far = { "package.json": manifest({ "@scope/it": "^1.0.0" }) };
  const given = project({
    ...near,
    ...far,
    "feed.mjs": entry,
    "near/package.json": manifest({ "@scope/it": "^2.0.0" }),
  });
  expect(await emitted(given)).toEqual(["@scope/it 2.0.0", "@scope/it 1.9.0"]);
  expect(await packagesOf(given)).toMatchObject([
    { version: "1.9.0", manifest: "package.json" },
    { version: "2.0.0", manifest: "near/package.json" },
  ]);
  // A package.json with only a module type is skipped; one of another package is not.
  const typed = project({ ...near, ...far, "feed.mjs": entry, "near/package.json": `{ "type": "module" }` });
  expect(await emitted(typed)).toEqual(["@scope/it 1.9.0", "@scope/it 1.9.0"]);
  const named = project({ ...near, ...far, "feed.mjs": entry, "near/package.json": `{ "name": "near" }` });
  expect(await emitted(named)).toEqual(["@scope/it 3.0.0", "@scope/it 1.9.0"]);
});

test("S38 S59 each package.json and tsconfig.json that was looked for is reported, also missing ones", async () => {
  const { root } = project({
    "package.json": manifest({ it: "^1.0.0" }),
    "sources/near/feed.mjs": feed(),
    "sources/package.json": `{ "type": "module" }`,
  });
  const noted: unknown[] = [];
  const given = { root, file: join(root, "sources/near/feed.mjs") };
  await trial.runtime.saveComponent(given, (_, __, places, manifests) => noted.push(manifests, places));
  const manifests = ["package.json", "tsconfig.json"].flatMap((name) =>
    ["sources/near/", "sources/", ""].map((folder) => folder + name),
  );
  expect(noted).toEqual([manifests, expect.arrayContaining(manifests)]);
});

test("S38 a package.json above the root, or for code sent as text, is ignored", async () => {
  const { root } = project({ "package.json": manifest({ it: "^1.0.0" }), "inner/feed.mjs": feed() });
  expect(await emitted({ root: join(root, "inner"), file: join(root, "inner/feed.mjs") })).toBe("it 3.0.0");
  const { source } = await trial.deploy(feed());
  await trial.runtime.invoke(source.id);
  expect(await trial.payloads(source.id)).toEqual(["it 3.0.0"]);
});

test("S38 a package.json may give a package an alias", async () => {
  const given = project({ "package.json": manifest({ it: "npm:other@^1.0.0" }) });
  expect(await emitted(given)).toBe("other 1.9.0");
});

test("S38 an installed package in the range is used; one outside of it is stale", async () => {
  const installed = (version: string): Readonly<Record<string, string>> => ({
    "node_modules/it/package.json": JSON.stringify({ name: "it", version }),
    "node_modules/it/index.js": `module.exports = "installed ${version}";`,
  });
  const declared = { "package.json": manifest({ it: "^1.0.0" }) };
  const fresh = project({ ...declared, ...installed("1.1.1") });
  expect(await emitted(fresh)).toBe("installed 1.1.1");
  expect(await packagesOf(fresh)).toMatchObject([
    { version: "1.1.1", requested: "it", from: "package.json", range: "^1.0.0" },
  ]);
  expect(await emitted(project({ ...declared, ...installed("0.9.0") }))).toBe("it 1.9.0");
  const undeclared = project(installed("0.9.0"));
  expect(await emitted(undeclared)).toBe("installed 0.9.0");
  expect(await packagesOf(undeclared)).toEqual([
    { name: "it", version: "0.9.0", requested: "it", from: "node_modules" },
  ]);
  for (const local of ["file:../it", "link:../it", "workspace:^7.0.0", "github:me/it", "next"]) {
    const linked = project({ "package.json": manifest({ it: local }), ...installed("0.9.0") });
    expect(await emitted(linked)).toBe("installed 0.9.0");
  }
});

test.each([
  "file:../it",
  "link:../it",
  "portal:../it",
  "catalog:",
  "workspace:../it",
  "git+https://example.com/it.git",
  "https://example.com/it.tgz",
  "me/it",
  "../it",
  "npm:../it",
])("S38 %s is refused in its words, unless the package is installed", async (range) => {
  const error = await failure(trial.runtime.deploy(project({ "package.json": manifest({ it: range }) })));
  expect(error.code).toBe("package_refused");
  expect(error.message).toContain(`package.json asks for "${range}"`);
  expect(error.details).toMatchObject({ package: "it", importer: "feed.mjs" });
});

test("S38 a range that the registry cannot satisfy is reported with its package.json", async () => {
  const given = project({ "package.json": manifest({ it: "^9.0.0" }) });
  const error = await failure(trial.runtime.deploy(given));
  expect(error.code).toBe("package_unresolved");
  expect(error.message).toContain("no version ^9.0.0 of it");
  expect(error.message).toContain("package.json declares the range");
});

test.each([
  ["{", /"package.json" cannot be used: it is not JSON/],
  ["[]", /"package.json" cannot be used: it must be an object/],
  [`{ "dependencies": { "it": 1 } }`, /"package.json" cannot be used: dependencies.it must be a string/],
])("S38 a package.json with %s is reported when an import needs it", async (text, message) => {
  const error = await failure(trial.runtime.deploy(project({ "package.json": text })));
  expect([error.code, error.message]).toEqual(["bundle_failed", expect.stringMatching(message)]);
  const without = project({ "package.json": text, "feed.mjs": keyed("plain") });
  expect(await emitted(without)).toBe("1");
});

test("S38 a package.json that is a link out of the root is reported, and a folder of that name is ignored", async () => {
  const outside = makeFolder();
  writeAll(outside, { "package.json": manifest({ it: "^1.0.0" }) });
  const linked = project({});
  symlinkSync(join(outside, "package.json"), join(linked.root, "package.json"));
  const error = await failure(trial.runtime.deploy(linked));
  expect(error.message).toContain(`"package.json" cannot be used: it leads out of the component's root folder`);
  const folder = project({});
  mkdirSync(join(folder.root, "package.json"));
  expect(await emitted(folder)).toBe("it 3.0.0");
});

test("S38 a version in the range stays over updates; another range is resolved again", async () => {
  npm.publish("moving", "1.0.0", `module.exports = "1.0.0";`);
  const given = project({ "feed.mjs": feed("moving"), "package.json": manifest({ moving: "^1.0.0" }) });
  const { source } = await trial.runtime.deploy(given);
  const after = async (range: string | undefined): Promise<unknown> => {
    writeAll(given.root, { "package.json": manifest(range === undefined ? {} : { moving: range }) });
    await trial.runtime.update(source.id, given);
    await trial.runtime.invoke(source.id);
    return (await trial.payloads(source.id)).at(-1);
  };
  npm.publish("moving", "1.1.0", `module.exports = "1.1.0";`);
  npm.publish("moving", "2.0.0", `module.exports = "2.0.0";`);
  const asked = npm.requests.length;
  expect(await after("^1.0.0")).toBe("1.0.0");
  expect(await after("^1.0.0 || ^2.0.0")).toBe("1.0.0");
  // Locked versions need no registry.
  expect(npm.requests).toHaveLength(asked);
  expect(await after("~1.1.0")).toBe("1.1.0");
  expect(await after("^2.0.0")).toBe("2.0.0");
  const { component } = await trial.runtime.source(source.id).then(async ({ source: { componentId } }) => ({
    component: await trial.runtime.component(componentId),
  }));
  expect(component.packages).toMatchObject([{ version: "2.0.0", range: "^2.0.0", manifest: "package.json" }]);
});

test("S38 a source that was deployed without a package.json keeps its version in a range that includes it", async () => {
  const given = project({});
  const { source } = await trial.runtime.deploy(given);
  writeAll(given.root, { "package.json": manifest({ it: ">=1" }) });
  await trial.runtime.update(source.id, given);
  await trial.runtime.invoke(source.id);
  expect(await trial.payloads(source.id)).toEqual(["it 3.0.0"]);
});

test("S38 in a registry each app has its package.json, whose changes are read; published copies keep theirs", async () => {
  const home = makeFolder();
  const component = (key: string): string =>
    `import it from "it"; export default { key: "${key}", name: "${key}", version: "1", run() { this.$emit(it); } };`;
  writeAll(home, {
    "components/acme/package.json": manifest({ it: "^1.0.0" }),
    "components/acme/sources/feed/feed.mjs": component("acme-feed"),
    "components/shop/package.json": manifest({ it: "^2.0.0" }),
    "components/shop/sources/feed/feed.mjs": component("shop-feed"),
    "components/plain/sources/feed/feed.mjs": component("plain-feed"),
  });
  const logger = recordLog();
  const packages = { registry: npm.url, cache: join(makeFolder(), "cache") };
  const other = await openTrial({ registry: home, logger, packages });
  await using runtime = other.runtime;
  const versionOf = async (key: string): Promise<unknown> => {
    const [first] = (await runtime.registryComponent(key)).packages ?? [];
    return [first?.version, first?.manifest];
  };
  expect(await versionOf("acme-feed")).toEqual(["1.9.0", "components/acme/package.json"]);
  expect(await versionOf("shop-feed")).toEqual(["2.0.0", "components/shop/package.json"]);
  expect(await versionOf("plain-feed")).toEqual(["3.0.0", undefined]);
  await runtime.registry();
  const changed = async (file: string, dependencies: object, key: string): Promise<void> => {
    const { length } = logger.lines;
    writeAll(home, { [file]: manifest(dependencies) });
    await logger.waitFor("the registry has a new component", { key }, length);
  };
  await changed("components/acme/package.json", { it: "~1.2.0" }, "acme-feed");
  expect(await versionOf("acme-feed")).toEqual(["1.2.0", "components/acme/package.json"]);
  await changed("components/plain/package.json", { it: "1.0.0" }, "plain-feed");
  expect(await versionOf("plain-feed")).toEqual(["1.0.0", "components/plain/package.json"]);

  const target = makeFolder();
  const given = { file: join(home, "components/shop/sources/feed/feed.mjs"), root: join(home, "components") };
  const { files } = await runtime.publish({ ...given, registry: target });
  expect(files).toEqual(["shop/sources/feed/feed.mjs", "shop/package.json"]);
  expect((await runtime.publish({ ...given, registry: target })).change).toBe("unchanged");
  const reader = await openTrial({ registry: target, packages });
  await using there = reader.runtime;
  expect((await there.registryComponent("shop-feed")).packages).toMatchObject([
    { version: "2.0.0", manifest: "shop/package.json" },
  ]);
});

test("S38 builds cached between processes depend on the package.json", async () => {
  const given = project({
    "package.json": manifest({ it: "^1.0.0" }),
    "node_modules/it/package.json": JSON.stringify({ name: "it", version: "1.5.0" }),
    "node_modules/it/index.js": `module.exports = "installed";`,
  });
  const buildsFolder = join(makeFolder(), "builds");
  const packages = { registry: npm.url, cache: join(makeFolder(), "cache") };
  const rangeNow = async (): Promise<unknown> => {
    await using engine = await createEngine({ workers: 0, buildsFolder });
    const other = await openTrial({ engine, packages });
    await using runtime = other.runtime;
    const [first] = (await runtime.saveComponent(given)).packages ?? [];
    return [first?.version, first?.range];
  };
  expect(await rangeNow()).toEqual(["1.5.0", "^1.0.0"]);
  expect(await rangeNow()).toEqual(["1.5.0", "^1.0.0"]);
  writeAll(given.root, { "package.json": manifest({ it: "^2.0.0" }) });
  expect(await rangeNow()).toEqual(["2.0.0", "^2.0.0"]);
  rmSync(join(given.root, "package.json"));
  expect(await rangeNow()).toEqual(["1.5.0", undefined]);
});
