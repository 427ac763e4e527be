import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { failure } from "../bundle.cases.ts";
import { recordLog } from "../registry/registry.cases.ts";
import { openTrial, type Trial } from "../../../runtime/src/runtime.cases.ts";
import type { PackageProgress } from "./contract.ts";
import { startTestRegistry, type TestRegistry } from "./registry.cases.ts";

const folder = mkdtempSync(join(tmpdir(), "packages-"));
let registry: TestRegistry;
let trial: Trial;
let count = 0;

beforeAll(async () => {
  registry = await startTestRegistry();
  trial = await openTrial({ packages: { registry: registry.url, cache: join(folder, "cache") } });
});
beforeEach(() => {
  registry.requests.length = 0;
});
afterAll(async () => {
  await trial.runtime.close();
  await registry.close();
  rmSync(folder, { recursive: true });
});

/** A name that no other test uses. */
const newName = (): string => `pkg-${(count += 1)}`;
const component = (imports: string, value: string): string =>
  `${imports}\nexport default { name: "Feed", version: "1", props: {}, run() { this.$emit(${value}); } };`;

/** The payloads that the component emits. */
async function emitted(code: string, on: Trial = trial): Promise<unknown> {
  const { source } = await on.deploy(code);
  const { error } = await on.runtime.invoke(source.id);
  expect(error).toBeNull();
  return (await on.payloads(source.id)).at(-1);
}

test("a package is bundled at deploy by its name, with what it depends on", async () => {
  const [name, inner] = [newName(), newName()];
  registry.publish(inner, "1.0.0", `exports.inner = true;`);
  registry.publish(name, "2.0.0", `module.exports = { value: 7, ...require(${JSON.stringify(inner)}) };`, {
    dependencies: { [inner]: "^1.0.0" },
  });
  expect(await emitted(component(`import it from "${name}";`, "it"))).toEqual({ value: 7, inner: true });
});

test("R070 a package that needs more than 500 others loads", async () => {
  const name = newName();
  const leaves = Array.from({ length: 505 }, (_, each) => `many-${each}`);
  for (const leaf of leaves) registry.publish(leaf, "1.0.0", `module.exports = 1;`);
  registry.publish(name, "1.0.0", `module.exports = require("many-504");`, {
    dependencies: Object.fromEntries(leaves.map((leaf) => [leaf, "1.0.0"])),
  });
  expect(await emitted(component(`import it from "${name}";`, "it"))).toBe(1);
});

test.each<[form: string, expected: string]>([
  ["", "2.1.0"],
  ["@latest", "2.1.0"],
  ["@1.2.3", "1.2.3"],
  ["@~1.2.3", "1.2.9"],
  ["@^1.2.3", "1.4.0"],
])("import of a package%s gives version %s, of its main file and of a file in it", async (form, expected) => {
  const name = `@forms/versions`;
  for (const version of ["1.2.3", "1.2.9", "1.4.0", "2.0.0", "2.1.0"]) {
    const value = JSON.stringify(version);
    registry.publish(name, version, {
      "index.js": `module.exports = ${value};`,
      "lib/x.js": `module.exports = ${value};`,
    });
  }
  const code = component(`import main from "${name}${form}";\nconst x = require("${name}${form}/lib/x");`, "[main, x]");
  expect(await emitted(code)).toEqual([expected, expected]);
});

test("two versions of a package serve one component", async () => {
  const name = newName();
  registry.publish(name, "1.0.0", `module.exports = 1;`);
  registry.publish(name, "2.0.0", `module.exports = 2;`);
  const code = component(`import one from "${name}@1.0.0"; import two from "${name}";`, "[one, two]");
  expect(await emitted(code)).toEqual([1, 2]);
});

test("a source keeps the versions of its packages over updates, and shows them with their integrity", async () => {
  const [name, inner, other] = [newName(), newName(), newName()];
  registry.publish(inner, "1.0.0", `module.exports = "inner 1";`);
  registry.publish(name, "1.0.0", `module.exports = ["outer 1", require("${inner}")];`, {
    dependencies: { [inner]: "*" },
  });
  registry.publish(other, "1.0.0", `module.exports = "other 1";`);
  const { source, component: first } = await trial.deploy(component(`import it from "${name}";`, "it"));
  expect(first.packages).toEqual([
    { name, version: "1.0.0", integrity: expect.stringMatching(/^sha512-/), requested: name, from: "latest" },
    { name: inner, version: "1.0.0", integrity: expect.stringMatching(/^sha512-/) },
  ]);

  registry.publish(inner, "1.1.0", `module.exports = "inner 1.1";`);
  registry.publish(name, "1.1.0", `module.exports = ["outer 1.1", require("${inner}")];`, {
    dependencies: { [inner]: "*" },
  });
  registry.publish(other, "1.1.0", `module.exports = "other 1.1";`);
  registry.requests.length = 0;
  const changed = component(`import it from "${name}";`, "[it, 2]");
  const second = await trial.runtime.update(source.id, { code: changed });
  expect(second.component.packages).toEqual(first.packages);
  expect(second.component.id).not.toBe(first.id);
  expect(registry.requests).toEqual([]);

  const more = component(`import it from "${name}"; import other from "${other}@^1.0.0";`, "[it, other]");
  await trial.runtime.update(source.id, { code: more });
  await trial.runtime.invoke(source.id);
  expect((await trial.payloads(source.id)).at(-1)).toEqual([["outer 1", "inner 1"], "other 1.1"]);

  // A new source has the current version, though its code is the same.
  const fresh = await trial.deploy(changed);
  expect(fresh.component.id).not.toBe(second.component.id);
  expect(fresh.component.packages?.map(({ version }) => version)).toEqual(["1.1.0", "1.0.0"]);
});

test("S28 a tag and a range are resolved again at every update", async () => {
  const [name, ranged] = [newName(), newName()];
  registry.publish(name, "1.0.0", `module.exports = 1;`);
  registry.publish(ranged, "1.0.0", `module.exports = 1;`);
  const code = component(`import it from "${name}@latest"; import ranged from "${ranged}@^1.0.0";`, "[it, ranged]");
  const { source } = await trial.deploy(code);
  registry.publish(name, "2.0.0", `module.exports = 2;`);
  registry.publish(ranged, "1.5.0", `module.exports = 1.5;`);
  await trial.runtime.update(source.id, { code });
  await trial.runtime.invoke(source.id);
  expect((await trial.payloads(source.id)).at(-1)).toEqual([2, 1.5]);
});

test("a component that was deployed once is deployed again without the registry", async () => {
  const name = newName();
  const code = component(`import it from "${name}";`, "it");
  await using gone = await startTestRegistry();
  const cache = join(folder, "offline");
  gone.publish(name, "1.0.0", `module.exports = "kept";`);
  const packages = { registry: gone.url, cache };
  const before = await openTrial({ packages });
  expect(await emitted(code, before)).toBe("kept");
  await before.runtime.close();
  await gone.close();
  const after = await openTrial({ packages });
  expect(await emitted(code, after)).toBe("kept");
  const error = await failure(after.deploy(component(`import it from "never-seen";`, "it")));
  expect(error.code).toBe("package_unresolved");
  expect(error.message).toContain(`Package "never-seen" imported by component.js cannot be resolved`);
  expect(error.details["chain"]).toEqual(["component.js", "never-seen"]);
  await after.runtime.close();
});

test("components that are deployed at once download a package once", async () => {
  const name = newName();
  registry.publish(name, "1.0.0", `module.exports = 5;`);
  const codes = [1, 2, 3].map((each) => component(`import it from "${name}";`, `it + ${each}`));
  expect(await Promise.all(codes.map((code) => emitted(code)))).toEqual([6, 7, 8]);
  expect(registry.requests.filter((each) => each.endsWith(".tgz"))).toHaveLength(1);
});

test("closing a runtime ends its installations, and none of another runtime", async () => {
  const name = newName();
  registry.publish(name, "1.0.0", `module.exports = 6;`);
  await using mute = await startTestRegistry();
  const asked = Promise.withResolvers<void>();
  mute.intercept(() => {
    asked.resolve();
    return true;
  });
  const leaving = await openTrial({ packages: { registry: mute.url, cache: join(folder, "leaving") } });
  const refused = failure(leaving.deploy(component(`import it from "never-answered";`, "it")));
  await asked.promise;
  const installed = emitted(component(`import it from "${name}";`, "it"));
  await leaving.runtime.close();
  expect((await refused).code).toBe("closed");
  expect(await installed).toBe(6);
});

test("an installation reports its progress", async () => {
  const [name, inner] = [newName(), newName()];
  registry.publish(inner, "1.0.0", `exports.a = 1;`);
  registry.publish(name, "1.0.0", `require("${inner}");`, { dependencies: { [inner]: "1" } });
  const progress: string[] = [];
  const packages = {
    registry: registry.url,
    cache: join(folder, "progress"),
    onProgress: ({ phase, requested, done, total }: PackageProgress) =>
      void progress.push(`${phase} ${requested.join()} ${done}/${total}`),
  };
  const teller = await openTrial({ packages });
  await teller.deploy(component(`import it from "${name}";`, "it"));
  await teller.runtime.close();
  expect(progress).toEqual([
    `resolving ${name} 0/0`,
    ...[0, 1, 2].map((done) => `fetching ${name} ${done}/2`),
    `installed ${name} 2/2`,
  ]);
});

test("a cache that cannot be written is reported without its path", async () => {
  const name = newName();
  registry.publish(name, "1.0.0", `module.exports = 1;`);
  const file = join(folder, "no-folder");
  writeFileSync(file, "");
  const nowhere = await openTrial({ packages: { registry: registry.url, cache: file } });
  const error = await failure(nowhere.deploy(component(`import it from "${name}";`, "it")));
  expect(error.code).toBe("package_unresolved");
  expect(error.message).toContain("the package cache of the runtime cannot be written (");
  expect(error.message).not.toContain(folder);
  await nowhere.runtime.close();
});

test("components have no packages when the runtime turns them off", async () => {
  const without = await openTrial({ packages: false });
  const error = await failure(without.deploy(component(`import it from "axios";`, "it")));
  expect(error.message).toBe(
    `Package "axios" imported by component.js cannot be resolved: packages are not available to this runtime.`,
  );
  await without.runtime.close();
});

test("a component of the registry keeps the versions of its packages when its file changes", async () => {
  const name = newName();
  registry.publish(name, "1.0.0", `module.exports = 1;`);
  const shelf = join(folder, "shelf");
  mkdirSync(shelf);
  const write = (value: string): void =>
    writeFileSync(
      join(shelf, "feed.mjs"),
      `import it from "${name}"; export default { key: "feed", name: "Feed", version: "1", run() { this.$emit(${value}); } };`,
    );
  const open = (): Promise<Trial> =>
    openTrial({ data: join(folder, "shelf-data"), registry: shelf, packages: { registry: registry.url } });
  write("it");
  const before = await open();
  const first = await before.runtime.deploy({ key: "feed" });
  await before.runtime.close();

  registry.publish(name, "2.0.0", `module.exports = 2;`);
  write("[it]");
  registry.requests.length = 0;
  const after = await open();
  const second = await after.runtime.deploy({ key: "feed" });
  expect(second.component.id).not.toBe(first.component.id);
  expect(second.component.packages).toEqual(first.component.packages);
  expect(registry.requests, "nothing newer is looked at").toEqual([]);
  await after.runtime.close();
});

test("a workflow keeps the versions of its packages when it is registered again", async () => {
  const name = newName();
  registry.publish(name, "1.0.0", `module.exports = 1;`);
  const code = (value: string): string =>
    `import it from "${name}"; export default { name: "Steps", steps: [{ name: "one", run() { return ${value}; } }] };`;
  const { id } = await trial.runtime.workflow({ code: code("it"), name: "Steps" });
  registry.publish(name, "2.0.0", `module.exports = 2;`);
  registry.requests.length = 0;
  expect((await trial.runtime.workflow({ code: code("[it]"), name: "Steps" })).id).toBe(id);
  expect(registry.requests).toEqual([]);
});

test("the steps of a workflow that are components keep the versions of their packages too", async () => {
  const [name, other] = [newName(), newName()];
  registry.publish(name, "1.0.0", `module.exports = 1;`);
  registry.publish(other, "1.0.0", `module.exports = 10;`);
  const action = (imports: string, value: string): { code: string } => ({
    code: `${imports} export default { name: "A", version: "1", type: "action", run({ $ }) { $.send.emit(${value}); } };`,
  });
  const steps = (value: string): { name: string; component: { code: string } }[] => [
    { name: "first", component: action(`import it from "${name}";`, value) },
    { name: "none", component: action("", "0") },
    {
      name: "second",
      component: action(`import it from "${name}"; import other from "${other}@1.0.0";`, "it + other"),
    },
  ];
  const { id } = await trial.runtime.workflow({ name: "Parts", steps: steps("it") });
  registry.publish(name, "2.0.0", `module.exports = 2;`);
  registry.requests.length = 0;
  expect((await trial.runtime.workflow({ name: "Parts", steps: steps("[it]") })).id).toBe(id);
  expect(registry.requests).toEqual([]);
  await trial.runtime.invoke(id);
  expect(await trial.payloads(id)).toEqual([[1], 0, 11]);
});

test("a package whose browser build does not work is resolved for Node", async () => {
  const name = newName();
  const exports = { browser: "./browser.js", node: "./node.js", default: "./browser.js" };
  const files = { "browser.js": `throw new Error("needs a window");`, "node.js": `module.exports = "node";` };
  registry.publish(name, "1.0.0", files, { exports });
  expect(await emitted(component(`import it from "${name}";`, "it"))).toBe("node");
  const steps = `import it from "${name}"; export default { name: "As Node", steps: [{ name: "one", run({ $ }) { $.send.emit(it); } }] };`;
  const { id } = await trial.runtime.workflow({ code: steps });
  await trial.runtime.invoke(id);
  expect(await trial.payloads(id)).toEqual(["node"]);

  const broken = newName();
  registry.publish(broken, "1.0.0", `throw new Error("needs a window");`);
  const error = await failure(trial.deploy(component(`import it from "${broken}";`, "it")));
  expect(error.code).toBe("package_failed");
  expect(error.message).toContain(`${broken}/index.js:1:11: Error: needs a window`);
  // Bundled into its importer, it has no stack frame of its own.
  const inlined = newName();
  registry.publish(inlined, "1.0.0", `export const a = null.b;`, { type: "module" });
  const thrown = await failure(trial.deploy(component(`import { a } from "${inlined}";`, "a")));
  expect(thrown.message).toContain(`"${inlined}" imported by component.js -> ${inlined}/index.js cannot be loaded`);
  const workflow = `import it from "${broken}"; export default { steps: [{ name: "one", run() { return it; } }] };`;
  expect((await failure(trial.runtime.workflow({ code: workflow }))).code).toBe("package_failed");
});

test("the files of a package for Node are bundled, and those for browsers when Node's do not work", async () => {
  const [both, native, strict] = [newName(), newName(), newName()];
  const files = { "module.js": `export const it = "module";`, "main.js": `exports.it = "main";` };
  registry.publish(both, "1.0.0", files, { main: "main.js", module: "module.js" });
  expect(await emitted(component(`import { it } from "${both}";`, "it"))).toBe("main");
  expect(await emitted(component(`import all, { it } from "${both}";`, "[all.it, it]"))).toEqual(["main", "main"]);
  const twoFiles = {
    "node.mjs": `import { execSync } from "node:child_process"; export const it = execSync("node");`,
    "browser.mjs": `export const it = "browser";`,
  };
  registry.publish(native, "1.0.0", twoFiles, { exports: { node: "./node.mjs", default: "./browser.mjs" } });
  expect(await emitted(component(`import { it } from "${native}";`, "it"))).toBe("browser");
  registry.publish(strict, "1.0.0", { "index.mjs": `export const it = 1;` }, { main: "index.mjs" });
  const refused = await failure(trial.deploy(component(`import { other } from "${strict}";`, "other()")));
  expect(refused.code).toBe("bundle_failed");
});

test("a bundle above 5 MB is reported once", async () => {
  const name = newName();
  const text = Array.from({ length: 5_500 }, (_, index) => `${"x".repeat(1_000)}${index}`).join("");
  registry.publish(name, "1.0.0", `module.exports = "${text}";`);
  const logger = recordLog();
  const watched = await openTrial({ logger, packages: { registry: registry.url, cache: join(folder, "cache") } });
  const code = component(`import it from "${name}";`, "it");
  const { source } = await watched.deploy(code);
  await watched.runtime.update(source.id, { code });
  const large = logger.lines.filter(([line]) => line.includes("large"));
  expect(large).toEqual([[expect.stringContaining("starts slowly"), { name: "Feed", bytes: expect.any(Number) }]]);
  await watched.runtime.close();
});

test("code from a URL imports packages, in every file of it", async () => {
  const name = newName();
  registry.publish(name, "1.0.0", { "index.js": `module.exports = 1;`, "two.js": `module.exports = 2;` });
  const files: Readonly<Record<string, string>> = {
    "/feed.mjs": component(`import it from "${name}"; import two from "./two.mjs";`, "[it, two]"),
    "/two.mjs": `import two from "${name}/two.js"; export default two;`,
  };
  const fetch = (request: Request): Promise<Response> =>
    Promise.resolve(new Response(files[new URL(request.url).pathname], { status: 200 }));
  const away = await openTrial({
    network: { fetch },
    packages: { registry: registry.url, cache: join(folder, "cache") },
  });
  const { source, component: saved } = await away.runtime.deploy({ url: "https://code.example/feed.mjs" });
  await away.runtime.invoke(source.id);
  expect(await away.payloads(source.id)).toEqual([[1, 2]]);
  expect(saved.packages).toHaveLength(1);
  await away.runtime.close();
});

test("an error of a package has the package's file and line", async () => {
  const name = newName();
  registry.publish(name, "1.0.0", {
    "index.js": `exports.fail = require("./lib/fail.js");`,
    "lib/fail.js": `// one\n// two\nmodule.exports = function failing() {\n  throw new TypeError("from inside");\n};`,
  });
  const { source } = await trial.deploy(component(`import { fail } from "${name}";`, "fail()"));
  const { error } = await trial.runtime.invoke(source.id);
  expect(error?.stack.split("\n").map((line) => line.trim())).toEqual([
    "TypeError: from inside",
    `at failing (${name}/lib/fail.js:4:13)`,
    expect.stringMatching(/^at run \(component\.js:2:\d+\)$/),
  ]);
});
