import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import type { Runtime } from "../../../runtime/src/api/runtime-api.ts";
import { recordLog, keyed, writeAll } from "./registry.cases.ts";
import { makeFolder, removeFolders } from "../../../runtime/src/runtime.cases.ts";
import { createRuntime } from "../../../runtime/src/runtime.ts";
import { testEngine } from "../../../runtime/src/engine.cases.ts";

let runtime: Runtime;
beforeAll(async () => {
  runtime = await createRuntime({ engine: await testEngine() });
});
afterAll(async () => {
  await runtime.close();
  removeFolders();
});

interface Failure {
  readonly code: string;
  readonly message: string;
}

const failureOf = async (promise: Promise<unknown>): Promise<Failure> =>
  promise.then(
    () => ({ code: "nothing", message: "" }),
    (error: unknown) => error as Failure,
  );

/** A component of three files, with one beside them that it does not need. */
function writeAcme(version = "1"): { root: string; file: string } {
  const root = makeFolder();
  writeAll(root, {
    "sources/new/new.mjs": `import acme from "../../acme.app.mjs"; import data from "../../data.json";
      ${keyed("acme-new", version).replace("run()", "props: { acme }, data, run()")}`,
    "acme.app.mjs": `export default { type: "app", app: "acme" };`,
    "data.json": `{ "most": 3 }`,
    "other.mjs": "export default 1;",
  });
  return { root, file: join(root, "sources/new/new.mjs") };
}

test("S10 a component is copied with the files it imports, with their relative paths, and found under its key", async () => {
  const { root, file } = writeAcme();
  const registry = join(makeFolder(), "not", "there");
  const published = await runtime.publish({ file, root, registry });
  expect(published).toMatchObject({ key: "acme-new", version: "1", change: "new" });
  expect(published.files).toEqual(["sources/new/new.mjs", "acme.app.mjs", "data.json"]);
  expect(published.file.startsWith(join(registry, "acme-new"))).toBe(true);
  expect(readFileSync(published.file, "utf8")).toBe(readFileSync(file, "utf8"));
  expect(readdirSync(registry)).toEqual(["acme-new"]);
  await using served = await createRuntime({ registry, engine: await testEngine() });
  expect((await served.registryComponent("acme-new")).code).toBe(readFileSync(file, "utf8"));
  expect((await served.registry()).map((item) => item.key ?? item.problem)).toEqual(["acme-new"]);
});

test("S10 publishing again replaces the component, and the same content changes nothing", async () => {
  const registry = makeFolder();
  const { root, file } = writeAcme("1");
  const first = await runtime.publish({ file, root, registry });
  expect(await runtime.publish({ file, root, registry })).toMatchObject({ change: "unchanged", file: first.file });
  writeFileSync(file, readFileSync(file, "utf8").replaceAll('"1"', '"2"'));
  const second = await runtime.publish({ file, root, registry });
  expect(second).toMatchObject({ change: "updated", version: "2" });
  // A reader may still use the previous copy; the next publication removes it.
  expect(existsSync(first.file)).toBe(true);
  writeFileSync(file, readFileSync(file, "utf8").replaceAll('"2"', '"3"'));
  await runtime.publish({ file, root, registry });
  expect([existsSync(first.file), existsSync(second.file)]).toEqual([false, true]);
  // A copy that was changed is replaced.
  const { file: third } = await runtime.publish({ file, root, registry });
  writeFileSync(third, "export default 1;");
  const repaired = await runtime.publish({ file, root, registry });
  expect(repaired.change).toBe("updated");
  expect(readFileSync(repaired.file, "utf8")).toBe(readFileSync(file, "utf8"));
});

test("S10 only a component with a key is published; otherwise the registry does not change", async () => {
  const registry = makeFolder();
  const folder = makeFolder();
  writeAll(folder, {
    "no-key.mjs": `export default { name: "No key", version: "1", run() {} };`,
    "broken.mjs": "export default {",
    "throws.mjs": "throw 1;",
    "long.mjs": keyed("k".repeat(300)),
  });
  const codes: string[] = [];
  for (const name of ["no-key.mjs", "broken.mjs", "throws.mjs", "long.mjs", "absent.mjs"]) {
    codes.push((await failureOf(runtime.publish({ file: join(folder, name), registry }))).code);
  }
  expect(codes).toEqual([
    "invalid_component",
    "bundle_failed",
    "invalid_component",
    "invalid_component",
    "bundle_failed",
  ]);
  expect(readdirSync(registry)).toEqual([]);
});

test("S10 a key of another component in the registry is refused, with force too", async () => {
  const registry = makeFolder();
  writeAll(registry, { "by-hand/a.mjs": keyed("acme-new"), "mentions.mjs": `// acme-new\n${keyed("other")}` });
  const { root, file } = writeAcme();
  for (const force of [false, true]) {
    const { code, message } = await failureOf(runtime.publish({ file, root, registry, force }));
    expect(code).toBe("key_conflict");
    expect(message).toContain(join("by-hand", "a.mjs"));
  }
});

test("S10 a file that was found through a link is copied, and the copy is the same component", async () => {
  const { root, file } = writeAcme();
  symlinkSync("acme.app.mjs", join(root, "acme.app.js"));
  writeFileSync(file, readFileSync(file, "utf8").replace("acme.app.mjs", "acme.app"));
  const published = await runtime.publish({ file, root, registry: makeFolder() });
  expect(published.files).toEqual(["sources/new/new.mjs", "acme.app.mjs", "data.json"]);
});

test("S10 a folder with other files is only taken with force, and those stay", async () => {
  const registry = makeFolder();
  writeAll(registry, { "acme-new/mine.mjs": keyed("mine") });
  const { root, file } = writeAcme();
  const { code, message } = await failureOf(runtime.publish({ file, root, registry }));
  expect([code, message]).toEqual(["key_conflict", expect.stringContaining("files that were not published")]);
  expect(await runtime.publish({ file, root, registry, force: true })).toMatchObject({ change: "new" });
  expect(existsSync(join(registry, "acme-new/mine.mjs"))).toBe(true);
});

test("S10 a publication removes the temporary files of a killed one, and none of one that is running", async () => {
  const registry = makeFolder();
  writeAll(registry, { ".publish-old/copy/a.mjs": keyed("acme-new"), ".publish-now/copy/a.mjs": keyed("acme-new") });
  utimesSync(join(registry, ".publish-old"), new Date(0), new Date(0));
  const { root, file } = writeAcme();
  await runtime.publish({ file, root, registry });
  expect(readdirSync(registry).toSorted()).toEqual([".publish-now", "acme-new"]);
});

test("S10 two publications at once of a new component leave one of them whole, and later ones clean up", async () => {
  const registry = makeFolder();
  const home = join(registry, "acme-new");
  const given = ["1", "2", "3"].map((version) => ({ ...writeAcme(version), registry }));
  const done = await Promise.all(given.map((input) => runtime.publish(input)));
  const { folder, version } = JSON.parse(readFileSync(join(home, "published.json"), "utf8")) as Record<string, string>;
  expect(done.find((each) => each.version === version)?.file).toBe(join(home, folder ?? "", "sources/new/new.mjs"));
  // The other copies are unused, but could belong to a process that is about to replace published.json.
  for (const name of readdirSync(home)) utimesSync(join(home, name), new Date(0), new Date(0));
  writeAll(home, { "mine.txt": "" });
  const last = await runtime.publish({ ...writeAcme("4"), registry });
  expect(readdirSync(home).toSorted()).toEqual(
    [folder ?? "", basename(dirname(dirname(dirname(last.file)))), "mine.txt", "published.json"].toSorted(),
  );
});

test("S10 what a changed published.json names is never removed outside its own copies", async () => {
  const registry = makeFolder();
  const { root, file } = writeAcme("1");
  const first = await runtime.publish({ file, root, registry });
  const switchFile = join(registry, "acme-new/published.json");
  const published = JSON.parse(readFileSync(switchFile, "utf8")) as object;
  writeFileSync(switchFile, JSON.stringify({ ...published, previous: "." }));
  const second = await runtime.publish({ ...writeAcme("2"), registry });
  expect([second.change, existsSync(first.file), existsSync(second.file)]).toEqual(["updated", true, true]);
});

test("S10 a pipe in the registry blocks nothing", async () => {
  const registry = makeFolder();
  const { root, file } = writeAcme();
  mkdirSync(join(registry, "piped"));
  for (const name of ["pipe", "piped/published.json"]) execFileSync("mkfifo", [join(registry, name)]);
  symlinkSync(join(registry, "pipe"), join(registry, "link.mjs"));
  expect(await runtime.publish({ file, root, registry })).toMatchObject({ change: "new" });
  await using served = await createRuntime({ registry, engine: await testEngine() });
  const items = await served.registry();
  expect(items.map((item) => item.key ?? item.file)).toEqual(["acme-new", "link.mjs", "piped"]);
  expect(items[2]?.problem?.message).toContain("is not a file");
});

test("S10 publishing into a registry that cannot be written fails with its path", async () => {
  const folder = makeFolder();
  writeFileSync(join(folder, "file"), "");
  const { root, file } = writeAcme();
  const { code, message } = await failureOf(runtime.publish({ file, root, registry: join(folder, "file", "below") }));
  expect([code, message]).toEqual(["registry_failed", expect.stringContaining(join(folder, "file", "below"))]);
  expect(await failureOf(runtime.publish({ file }))).toMatchObject({ code: "invalid_parameter" });
});

test("S10 a runtime that watches the registry serves a publication without a gap", async () => {
  const registry = makeFolder();
  const logger = recordLog();
  await using served = await createRuntime({ registry, engine: await testEngine(), logger });
  await served.registry();
  mkdirSync(join(registry, ".git"));
  for (const version of ["1", "2", "3"]) {
    const { root, file } = writeAcme(version);
    await runtime.publish({ file, root, registry });
    await logger.waitFor("the registry has a new component", { key: "acme-new", version });
    expect((await served.registryComponent("acme-new")).shape.version).toBe(version);
  }
  expect(logger.lines.filter(([message]) => !/^the registry (?:is loaded|has a new component)$/.test(message))).toEqual(
    [],
  );
});
