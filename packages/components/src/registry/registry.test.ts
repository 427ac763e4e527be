import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, afterEach, expect, test } from "vitest";

import type { RegistryItem } from "./contract.ts";
import type { Runtime } from "../../../runtime/src/api/runtime-api.ts";
import { recordLog, type RecordedLog, keyed, writeAll } from "./registry.cases.ts";
import { makeFolder, openTrial, removeFolders, type Trial } from "../../../runtime/src/runtime.cases.ts";
import { createRuntime } from "../../../runtime/src/runtime.ts";
import { testEngine } from "../../../runtime/src/engine.cases.ts";

const opened: Runtime[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((runtime) => runtime.close()));
});
afterAll(removeFolders);

interface Shelf extends Trial {
  readonly folder: string;
  readonly log: Trial["log"];
  readonly logged: RecordedLog["waitFor"];
  readonly lines: RecordedLog["lines"];
}

/** A runtime over a registry with these files. */
async function openShelf(files: Readonly<Record<string, string>>, folder = makeFolder()): Promise<Shelf> {
  writeAll(folder, files);
  const logger = recordLog();
  const trial = await openTrial({ registry: folder, logger });
  opened.push(trial.runtime);
  return { ...trial, folder, logged: logger.waitFor, lines: logger.lines };
}

const failureOf = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "nothing",
    (error: unknown) => (error as { code?: unknown }).code,
  );

const shown = (items: readonly RegistryItem[]): string[] =>
  items.map(({ file, key, version, problem }) =>
    [file, key, version, problem?.code].filter((part) => part !== undefined).join(" "),
  );

test("S10 every component in a folder is listed by its key; shared code is skipped silently", async () => {
  const { runtime, lines } = await openShelf({
    "acme/acme.app.mjs": `export default { type: "app", app: "acme" };`,
    "acme/common/base.mjs": `export default { props: {}, run() { this.$emit(1); } };`,
    "acme/common/words.ts": `export const words: string[] = [];`,
    "acme/sources/new/new.mjs": `import base from "../../common/base.mjs"; import acme from "../../acme.app.mjs";
      export default { ...base, name: "New", key: "acme-new", version: "0.1", props: { acme } };`,
    "acme/sources/new/new.test.mjs": keyed("acme-tested"),
    "node_modules/thing/index.js": keyed("installed"),
    ".hidden/thing.js": keyed("hidden"),
    "typed.ts": `const version: string = "2"; export default { name: "Typed", key: "typed", version, run() {} };`,
    "old.cjs": `module.exports = { name: "Old", key: "old", version: "3", run() {} };`,
    "readme.md": "# Components",
  });
  expect(shown(await runtime.registry())).toEqual([
    "acme/sources/new/new.mjs acme-new 0.1",
    "old.cjs old 3",
    "typed.ts typed 2",
  ]);
  expect(lines.map(([message]) => message)).toEqual(["the registry is loaded"]);
});

test("S10 broken components are reported and skipped, and the rest is served", async () => {
  const { runtime, lines } = await openShelf({
    "bad-syntax.mjs": "export default {",
    "bad-throw.mjs": `throw new Error("at once");\n${keyed("bad-throw")}`,
    "bad-dedupe.mjs": keyed("bad-dedupe").replace("run()", 'dedupe: "newest", run()'),
    "bad-import.mjs": `import "../outside.mjs";\n${keyed("bad-import")}`,
    "good.mjs": keyed("good"),
    "no-key.mjs": `export default { name: "No key", version: "1", run() {} };`,
    "published/published.json": `{ "key": 5 }`,
  });
  expect(shown(await runtime.registry())).toEqual([
    "bad-dedupe.mjs invalid_component",
    "bad-import.mjs bundle_failed",
    "bad-syntax.mjs bundle_failed",
    "bad-throw.mjs invalid_component",
    "good.mjs good 1",
    "no-key.mjs invalid_component",
    "published/published.json invalid_published",
  ]);
  const warnings = lines.filter(([message]) => message === "a file of the registry is skipped");
  expect(warnings.map(([, fields]) => [fields["file"], fields["code"]])).toContainEqual([
    "bad-syntax.mjs",
    "bundle_failed",
  ]);
  expect(warnings.find(([, fields]) => fields["file"] === "no-key.mjs")?.[1]["error"]).toContain("key is missing");
  expect((await runtime.registryComponent("good")).shape.version).toBe("1");
});

test("S10 of two files with one key the first by path is served, and the other is reported", async () => {
  const { runtime, folder, logged } = await openShelf({ "b.mjs": keyed("same", "b"), "a/z.mjs": keyed("same", "a") });
  expect(shown(await runtime.registry())).toEqual(["a/z.mjs same a", "b.mjs key_conflict"]);
  expect((await runtime.registryComponent("same")).shape.version).toBe("a");
  rmSync(join(folder, "a"), { recursive: true });
  await logged("the registry has a new component", { key: "same", version: "b" });
  expect((await runtime.registryComponent("same")).shape.version).toBe("b");
});

test("R081 a key that is not read yet is waited for, and an unknown one is not found", async () => {
  const { runtime } = await openShelf({ "a.mjs": keyed("first"), "b.mjs": keyed("second") });
  const [second, unknown] = await Promise.all([
    runtime.registryComponent("second"),
    failureOf(runtime.registryComponent("third")),
  ]);
  expect([second.shape.key, unknown]).toEqual(["second", "not_found"]);
  expect(await failureOf(runtime.registryComponent("constructor"))).toBe("not_found");
});

test("S10 without the option nothing is published, and a folder that does not exist is refused", async () => {
  const { runtime } = await openTrial();
  opened.push(runtime);
  expect([await runtime.registry(), await failureOf(runtime.registryComponent("a"))]).toEqual([[], "not_found"]);
  const registry = join(makeFolder(), "absent");
  expect(await failureOf(createRuntime({ registry }))).toBe("invalid_options");
});

test("S10 a list of modules is served too", async () => {
  const root = makeFolder();
  writeAll(root, {
    "sources/a.mjs": `import { v } from "../v.mjs";\n${keyed("from-file")}`,
    "v.mjs": "export const v = 1;",
  });
  const registry = [
    { code: keyed("from-code") },
    { file: join(root, "sources/a.mjs"), root },
    { code: "export default {" },
    { code: keyed("from-code", "2") },
  ];
  const logger = recordLog();
  const { runtime } = await openTrial({ registry, logger });
  opened.push(runtime);
  expect((await runtime.registryComponent("from-file")).shape.key).toBe("from-file");
  expect(shown(await runtime.registry())).toEqual([
    "module 1 from-code 1",
    `${join(root, "sources/a.mjs")} from-file 1`,
    "module 3 bundle_failed",
    "module 4 key_conflict",
  ]);
});

test("S10 a changed file is a new component without a restart, and deployed sources keep theirs", async () => {
  const { runtime, folder, logged, payloads } = await openShelf({ "a.mjs": keyed("a", "1") });
  const before = await runtime.deploy({ key: "a" });
  writeAll(folder, { "a.mjs": keyed("a", "2") });
  await logged("the registry has a new component", { key: "a", version: "2" });
  const after = await runtime.deploy({ key: "a" });
  expect(after.component.id).not.toBe(before.component.id);
  for (const { source } of [before, after]) await runtime.invoke(source.id);
  expect([await payloads(before.source.id), await payloads(after.source.id)]).toEqual([["1"], ["2"]]);
  expect((await runtime.component(before.component.id)).shape.version).toBe("1");
  writeAll(folder, { "a.mjs": keyed("a", "1") });
  await logged("the registry has a new component", { key: "a", version: "1" });
  expect((await runtime.registryComponent("a")).id).toBe(before.component.id);
});

test("S10 a shared file changes the components that import it, and no other", async () => {
  const { runtime, folder, logged, lines } = await openShelf({
    "a.mjs": `import { v } from "./shared/v.mjs";\n${keyed("a").replace('"1"', "v")}`,
    "b.mjs": keyed("b"),
    "shared/v.mjs": `export const v = "1";`,
  });
  await runtime.registry();
  writeAll(folder, { "shared/v.mjs": `export const v = "2";` });
  await logged("the registry has a new component", { key: "a", version: "2" });
  // The import now resolves to another file.
  writeAll(folder, { "c.mjs": `import { v } from "./shared/w";\n${keyed("c").replace('"1"', "v")}` });
  await logged("a file of the registry is skipped", { file: "c.mjs", code: "bundle_failed" });
  writeAll(folder, { "shared/w.mjs": `export const v = "3";` });
  await logged("the registry has a new component", { key: "c", version: "3" });
  writeAll(folder, { "shared/w.js": `export const v = "4";` });
  await logged("the registry has a new component", { key: "c", version: "4" });
  expect(lines.filter(([, fields]) => fields["key"] === "b")).toEqual([]);
});

test("S10 new files and folders are found, and removed ones disappear", async () => {
  const { runtime, folder, logged } = await openShelf({ "a.mjs": keyed("a") });
  await runtime.registry();
  writeAll(folder, { "deep/er/b.mjs": keyed("b") });
  await logged("the registry has a new component", { key: "b" });
  writeAll(folder, { "deep/er/b.mjs": keyed("b", "2") });
  await logged("the registry has a new component", { key: "b", version: "2" });
  renameSync(join(folder, "deep"), join(folder, "moved"));
  writeAll(folder, { "moved/er/b.mjs": keyed("b", "3") });
  await logged("the registry has a new component", { key: "b", version: "3" });
  rmSync(join(folder, "moved"), { recursive: true });
  await logged("the registry no longer has a component", { key: "b" });
  expect(await failureOf(runtime.registryComponent("b"))).toBe("not_found");
  expect(shown(await runtime.registry())).toEqual(["a.mjs a 1"]);
});

test("S10 a file that is half written keeps the previous version, and reports the problem", async () => {
  const { runtime, folder, logged } = await openShelf({ "a.mjs": keyed("a", "1") });
  await runtime.registry();
  writeFileSync(join(folder, "a.mjs"), keyed("a", "2").slice(0, 40));
  await logged("the registry keeps the previous version", { file: "a.mjs", code: "bundle_failed" });
  expect((await runtime.registryComponent("a")).shape.version).toBe("1");
  expect(shown(await runtime.registry())).toEqual(["a.mjs a 1 bundle_failed"]);
  writeFileSync(join(folder, "a.mjs"), "");
  await logged("the registry keeps the previous version", { file: "a.mjs", code: "invalid_component" });
  expect((await runtime.registryComponent("a")).shape.version).toBe("1");
  writeFileSync(join(folder, "a.mjs"), keyed("a", "2"));
  await logged("the registry has a new component", { key: "a", version: "2" });
  expect(shown(await runtime.registry())).toEqual(["a.mjs a 2"]);
});

test("S10 the folder may be removed and come back", async () => {
  const { runtime, folder, logged, lines } = await openShelf(
    { "a.mjs": keyed("a", "1") },
    join(makeFolder(), "one", "two"),
  );
  await runtime.registry();
  rmSync(join(folder, ".."), { recursive: true });
  await logged("the registry no longer has a component", { key: "a" });
  expect(shown(await runtime.registry())).toEqual([". ENOENT"]);
  mkdirSync(join(folder, ".."));
  writeAll(folder, { "a.mjs": keyed("a", "2") });
  await logged("the registry has a new component", { key: "a", version: "2" });
  const from = lines.length;
  rmSync(folder, { recursive: true });
  writeAll(folder, { "a.mjs": keyed("a", "3") });
  await logged("the registry has a new component", { key: "a", version: "3" }, from);
  writeAll(folder, { "a.mjs": keyed("a", "4") });
  await logged("the registry has a new component", { key: "a", version: "4" }, from);
});

test("S10 links inside the folder are followed, once, and those that lead out are refused", async () => {
  const outside = makeFolder();
  writeAll(outside, { "secret.mjs": keyed("secret"), "more/deep.mjs": keyed("deep"), "private.txt": "private" });
  const folder = makeFolder();
  writeAll(folder, { ".data/v1/a.mjs": keyed("a", "1"), ".data/v2/a.mjs": keyed("a", "2"), "b.mjs": keyed("b") });
  symlinkSync(join(outside, "secret.mjs"), join(folder, "secret.mjs"));
  symlinkSync(join(outside, "more"), join(folder, "more"));
  mkdirSync(join(folder, "published"));
  symlinkSync(join(outside, "private.txt"), join(folder, "published/published.json"));
  symlinkSync("b.mjs", join(folder, "b-again.mjs"));
  symlinkSync(".", join(folder, "around"));
  symlinkSync("nowhere.mjs", join(folder, "dangling.mjs"));
  // Mounted volumes work this way: a link to the current version is replaced.
  symlinkSync("v1", join(folder, ".data/current"));
  symlinkSync(".data/current/a.mjs", join(folder, "a.mjs"));
  const { runtime, logged } = await openShelf({}, folder);
  expect(shown(await runtime.registry())).toEqual([
    "a.mjs a 1",
    "b.mjs b 1",
    "more outside_registry",
    "published/published.json outside_registry",
    "secret.mjs outside_registry",
  ]);
  symlinkSync("v2", join(folder, ".data/next"));
  renameSync(join(folder, ".data/next"), join(folder, ".data/current"));
  writeAll(folder, { "b.mjs": keyed("b", "2") });
  await logged("the registry has a new component", { key: "b", version: "2" });
  expect((await runtime.registryComponent("a")).shape.version).toBe("2");
});

test("S10 a restart finds the same components", async () => {
  const data = makeFolder();
  const registry = makeFolder();
  writeAll(registry, { "a.mjs": `import { v } from "./v.mjs";\n${keyed("a")}`, "v.mjs": "export const v = 1;" });
  const ids: string[] = [];
  for (let start = 0; start < 2; start++) {
    await using runtime = await createRuntime({ data, registry, engine: await testEngine() });
    ids.push((await runtime.registryComponent("a")).id);
  }
  expect(ids[1]).toBe(ids[0]);
});

test("S10 closing does not wait until everything is read", async () => {
  const files = Object.fromEntries(Array.from({ length: 200 }, (_, each) => [`c${each}.mjs`, keyed(`k${each}`)]));
  const { runtime, lines } = await openShelf(files);
  await runtime.close();
  expect(lines).toEqual([]);
});
