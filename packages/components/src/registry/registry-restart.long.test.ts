import { cpSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";

import type { Runtime } from "../../../runtime/src/api/runtime-api.ts";
import { testEngine } from "../../../runtime/src/engine.cases.ts";
import { XError } from "../../../model/src/errors.ts";
import type { Engine } from "../../../runtime/src/api/options.ts";
import { createRuntime } from "../../../runtime/src/runtime.ts";
import { makeFolder, removeFolders } from "../../../runtime/src/runtime.cases.ts";
import { recordLog, keyed, writeAll } from "./registry.cases.ts";

afterAll(removeFolders);

/** Names of the bundled files, in order. */
let bundled: string[];
/** Called before each bundle. */
let before: (file: string) => Promise<void>;
let engine: Engine;

beforeEach(async () => {
  bundled = [];
  before = () => Promise.resolve();
  const own = await testEngine();
  engine = {
    ...own,
    bundler: {
      ...own.bundler,
      async bundle(input, use) {
        const file = "file" in input ? input.file : "";
        bundled.push(file.slice(file.lastIndexOf("/") + 1));
        await before(file);
        return own.bundler.bundle(input, use);
      },
    },
  };
});

const tree = {
  "acme/acme.app.mjs": `export default { type: "app", app: "acme" };`,
  "acme/common/base.mjs": `export const noun = "order";`,
  "acme/a.mjs": `import { noun } from "./common/base.mjs";\n${keyed("a")}`,
  "acme/b.mjs": keyed("b"),
  "acme/broken.mjs": `export default {{ key: "broken-one" };`,
  "acme/helpers.mjs": `export const help = 1;`,
};

const open = (registry: string, data: string): Promise<Runtime> => createRuntime({ data, registry, engine });

/** Reads all files, closes, and returns what was served. */
async function readOnce(registry: string, data: string): Promise<readonly unknown[]> {
  await using runtime = await open(registry, data);
  return await runtime.registry();
}

test("S10 a restart builds nothing when nothing changed, whatever the times of the files say", async () => {
  const registry = makeFolder();
  const data = makeFolder();
  writeAll(registry, tree);
  const first = await readOnce(registry, data);
  // Helpers are parsed, not evaluated.
  expect(bundled.toSorted()).toEqual(["a.mjs", "b.mjs", "broken.mjs"]);
  bundled = [];
  expect(await readOnce(registry, data)).toEqual(first);
  expect(bundled).toEqual([]);
  // A checkout sets new times.
  const copy = `${registry}-copy`;
  cpSync(registry, copy, { recursive: true });
  rmSync(registry, { recursive: true });
  renameSync(copy, registry);
  utimesSync(join(registry, "acme/b.mjs"), 1, 1);
  expect(await readOnce(registry, data)).toEqual(first);
  // The files that a broken component depends on are unknown.
  expect(bundled).toEqual(["broken.mjs"]);
});

test("S10 a restart reads what changed meanwhile: a file, a shared one, one that comes in the way, a package.json", async () => {
  const registry = makeFolder();
  const data = makeFolder();
  const { "acme/broken.mjs": _, ...sound } = tree;
  writeAll(registry, sound);
  await readOnce(registry, data);
  const changes: [files: Readonly<Record<string, string>>, read: string[]][] = [
    [{ "acme/b.mjs": keyed("b", "2") }, ["b.mjs"]],
    [{ "acme/common/base.mjs": `export const noun = "deal";` }, ["a.mjs"]],
    [{ "acme/common/base/index.mjs": "export const noun = 1;" }, ["a.mjs"]],
    [{ "acme/package.json": "{}" }, ["a.mjs", "b.mjs"]],
  ];
  for (const [files, read] of changes) {
    writeAll(registry, files);
    bundled = [];
    await readOnce(registry, data);
    expect([...new Set(bundled)].toSorted()).toEqual(read);
  }
  rmSync(join(registry, "acme/b.mjs"));
  expect((await readOnce(registry, data)).length).toBe(1);
});

test("R081 an unknown key is answered while files are read, with how many are, and a refused one with the reason", async () => {
  const registry = makeFolder();
  writeAll(registry, {
    ...tree,
    "z/renamed.mjs": `const name = "special";\n${keyed("").replace('key: ""', "key: `z-${name}`")}`,
  });
  const held = Promise.withResolvers<void>();
  before = (file) => (/[ab]\.mjs$/.test(file) ? held.promise : Promise.resolve());
  await using runtime = await open(registry, makeFolder());
  const asked = (key: string): Promise<unknown> =>
    runtime.registryComponent(key).then(
      ({ shape }) => shape.key,
      (error: unknown) => (XError.is(error) ? [error.code, error.message, error.details["reason"]] : error),
    );
  const unread = [
    "not_found",
    expect.stringMatching(/the registry is still being read, \d of 4 files/),
    "registry_is_read",
  ];
  expect(await asked("no-such-key")).toEqual(unread);
  // Its key is computed, so it is unknown until the file is evaluated.
  expect(await asked("z-special")).toEqual(unread);
  const b = asked("b");
  held.resolve();
  expect(await b).toBe("b");
  await runtime.registry();
  expect(await asked("z-special")).toBe("z-special");
  expect(await asked("no-such-key")).toEqual(["not_found", 'No component has the id or key "no-such-key".', undefined]);
  expect(await asked("broken-one")).toEqual([
    "not_found",
    expect.stringContaining("its file acme/broken.mjs is refused (bundle_failed: "),
    "refused",
  ]);
});

test.each([
  ["bundling", new XError("bundle_failed", ["a.mjs", "it took too long"], { details: { reason: "timeout" } })],
  ["a package", new XError("package_failed", ["a", "a.mjs", "no"], { details: { reason: "sandbox_timeout" } })],
])("S10 a file that ran out of time or memory in %s is read once more", async (_, error) => {
  const registry = makeFolder();
  writeAll(registry, { "a.mjs": keyed("a"), "b.mjs": keyed("b") });
  let refusals = 0;
  before = (file) => {
    if (!file.endsWith("a.mjs") || refusals++ > 0) return Promise.resolve();
    throw error;
  };
  await using runtime = await open(registry, makeFolder());
  expect(await runtime.registry()).toMatchObject([{ key: "a" }, { key: "b" }]);
  expect(bundled.toSorted()).toEqual(["a.mjs", "a.mjs", "b.mjs"]);
});

test("S10 closing does not wait for the bundler, which another runtime may share", async () => {
  const registry = makeFolder();
  writeAll(registry, { "a.mjs": keyed("a") });
  const began = Promise.withResolvers<void>();
  before = () => {
    began.resolve();
    return new Promise(() => undefined);
  };
  const runtime = await open(registry, makeFolder());
  await began.promise;
  await runtime.close();
  await expect(runtime.saveComponent({ code: "" })).rejects.toMatchObject({ code: "closed" });
});

test("an internal error names its cause in the log", async () => {
  const registry = makeFolder();
  writeAll(registry, { "a.mjs": keyed("a") });
  before = () => {
    throw new XError("internal", [], { cause: new Error("The bundler does not work: no reason") });
  };
  const logger = recordLog();
  await using runtime = await createRuntime({ registry, engine, logger });
  await runtime.registry();
  const [, fields] = await logger.waitFor("a file of the registry caused an internal error");
  expect(fields).toMatchObject({ file: "a.mjs", error: expect.stringContaining("The bundler does not work") });
});

test("many files with one large package take little more room than one", async () => {
  const registry = makeFolder();
  const data = makeFolder();
  const library = Array.from({ length: 20_000 }, (_, n) => `exports.v${n} = "${(n * 7919).toString(36)}";`).join("\n");
  const count = 12;
  writeAll(registry, {
    "node_modules/big/package.json": JSON.stringify({ name: "big", version: "1.0.0" }),
    "node_modules/big/index.js": library,
    ...Object.fromEntries(
      Array.from({ length: count }, (_, n) => [
        `c${n}.mjs`,
        `import big from "big";\n${keyed(`c${n}`, String(n), "big.v1;\n")}`,
      ]),
    ),
  });
  expect((await readOnce(registry, data)).length).toBe(count);
  const bytes = readdirSync(data)
    .filter((name) => name.startsWith("x.db"))
    .map((name) => readFileSync(join(data, name)).length);
  const perComponent = bytes.reduce((sum, each) => sum + each, 0) / count;
  expect(perComponent).toBeLessThan(library.length / 4);
});
