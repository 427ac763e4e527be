import { join } from "node:path";

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { testEngineWithin } from "../../../runtime/src/engine.cases.ts";
import type { Engine } from "../../../runtime/src/api/options.ts";
import { startTestRegistry, type TestRegistry } from "../packages/registry.cases.ts";
import { recordLog, type RecordedLog, keyed, writeAll } from "./registry.cases.ts";
import { makeFolder, openTrial, removeFolders, type Trial } from "../../../runtime/src/runtime.cases.ts";

let npm: TestRegistry;
/** Whether the npm registry answers. */
let isUp = true;
let engine: Engine;

beforeAll(async () => {
  npm = await startTestRegistry();
  engine = await testEngineWithin({ packageRetryMs: 20 });
  npm.intercept((_request, response) => {
    if (!isUp) response.writeHead(503).end("down");
    return !isUp;
  });
});
beforeEach(() => {
  isUp = true;
  npm.requests.length = 0;
});
afterAll(async () => {
  await npm.close();
  removeFolders();
});

const opened = (registry: string | { code: string }[], logger: RecordedLog, more: object = {}): Promise<Trial> =>
  openTrial({
    registry,
    logger,
    packages: { registry: npm.url, cache: join(makeFolder(), "cache") },
    engine,
    ...more,
  });
const using = (name: string, key: string): string => keyed(key, "1", `import "${name}";\n`);

test("S10 components that share packages resolve and fetch them once at a start", async () => {
  npm.publish("shared", "1.0.0", `exports.a = 1;`);
  const home = makeFolder();
  const files = Array.from({ length: 40 }, (_, each) => [`app/sources/c${each}.mjs`, using("shared", `c${each}`)]);
  writeAll(home, Object.fromEntries(files) as Record<string, string>);
  await using runtime = (await opened(home, recordLog())).runtime;
  const items = await runtime.registry();
  expect(items.filter(({ key }) => key !== undefined)).toHaveLength(40);
  // As many as one component alone asks.
  expect(npm.requests).toEqual(["GET /shared", "GET /shared", "GET /shared/-/shared-1.0.0.tgz"]);
});

test("S10 components without their packages are reported, the rest is served, and they are served when the packages are available", async () => {
  npm.publish("late", "1.0.0", `exports.a = 1;`);
  isUp = false;
  const home = makeFolder();
  writeAll(home, { "a.mjs": using("late", "first"), "b.mjs": using("late", "second"), "c.mjs": keyed("plain") });
  const logger = recordLog();
  const trial = await opened(home, logger);
  await using runtime = trial.runtime;
  expect((await runtime.registry()).map(({ file, key, problem }) => [file, key, problem?.code])).toEqual([
    ["a.mjs", undefined, "package_unresolved"],
    ["b.mjs", undefined, "package_unresolved"],
    ["c.mjs", "plain", undefined],
  ]);
  expect(
    logger.lines.map(([, { error }]) => String(error)).filter((line) => line.includes("imported by b.mjs")),
  ).toEqual([expect.stringContaining('Package "late" imported by b.mjs cannot be resolved')]);
  const unresolved = { code: "package_unresolved", details: { package: "late", reason: "offline" } };
  await expect(runtime.registryComponent("first")).rejects.toMatchObject(unresolved);
  await expect(runtime.deploy({ key: "second" })).rejects.toMatchObject(unresolved);
  await expect(runtime.registryComponent("third")).rejects.toMatchObject({ code: "not_found" });
  isUp = true;
  await logger.waitFor("the registry has a new component", { key: "first" });
  await logger.waitFor("the registry has a new component", { key: "second" });
  expect((await runtime.registryComponent("first")).shape.key).toBe("first");
  const { source } = await runtime.deploy({ key: "second" });
  expect((await runtime.invoke(source.id)).error).toBeNull();
});

test("S10 an npm registry that never answers is waited for once, not by every component", async () => {
  await using mute = await startTestRegistry();
  mute.intercept(() => true);
  const home = makeFolder();
  const files = Array.from({ length: 12 }, (_, each) => [`c${each}.mjs`, using(`mute-${each}`, `c${each}`)]);
  writeAll(home, Object.fromEntries(files) as Record<string, string>);
  writeAll(home, { "z.mjs": keyed("plain") });
  const packages = { registry: mute.url, cache: join(makeFolder(), "cache") };
  const impatient = await testEngineWithin({ packageRequestTimeoutMs: 200 });
  await using runtime = (await opened(home, recordLog(), { packages, engine: impatient })).runtime;
  const items = await runtime.registry();
  expect(items.map(({ key, problem }) => key ?? problem?.code)).toEqual([
    ...Array.from({ length: 12 }, () => "package_unresolved"),
    "plain",
  ]);
  // Three are read at once.
  expect(new Set(mute.requests).size).toBeLessThanOrEqual(3);
});

test("S10 modules of a list are retried too", async () => {
  isUp = false;
  const logger = recordLog();
  await using runtime = (await opened([{ code: using("published-later", "listed") }], logger)).runtime;
  expect(await runtime.registry()).toMatchObject([{ file: "module 1", problem: { code: "package_unresolved" } }]);
  await expect(runtime.registryComponent("listed")).rejects.toMatchObject({ code: "package_unresolved" });
  isUp = true;
  npm.publish("published-later", "1.0.0", `exports.a = 1;`);
  await logger.waitFor("the registry has a new component", { key: "listed" });
  expect(await runtime.registry()).toMatchObject([{ key: "listed" }]);
  expect((await runtime.registryComponent("listed")).shape.key).toBe("listed");
});

test("S10 a component that was read once is read again without the npm registry", async () => {
  npm.publish("kept", "1.0.0", `exports.a = 1;`);
  const home = makeFolder();
  writeAll(home, { "a.mjs": using("kept", "a"), "b.mjs": using("kept", "b") });
  const places = { data: makeFolder(), packages: { registry: npm.url } };
  await using first = (await opened(home, recordLog(), places)).runtime;
  const before = await first.registry();
  await first.close();
  isUp = false;
  const logger = recordLog();
  await using second = (await opened(home, logger, places)).runtime;
  expect(await second.registry()).toEqual(before);
  expect(logger.lines).toEqual([["the registry is loaded", { folder: home, components: 2 }]]);
});

test("S10 a component that mentions another component's key has package versions of its own", async () => {
  npm.publish("spoken-of", "1.0.0", `exports.a = 1;`);
  const home = makeFolder();
  writeAll(home, { "a.mjs": using("spoken-of", "first") });
  const logger = recordLog();
  await using runtime = (await opened(home, logger)).runtime;
  const versionOf = async (key: string): Promise<unknown> =>
    (await runtime.registryComponent(key)).packages?.map(({ version }) => version);
  expect(await versionOf("first")).toEqual(["1.0.0"]);
  npm.publish("spoken-of", "2.0.0", `exports.a = 2;`);
  const changed = keyed("first", "2", `import "spoken-of";\n`);
  const speaking = keyed("second", "1", `import "spoken-of";\nexport const other = { key: "first" };\n`);
  writeAll(home, { "a.mjs": changed, "b.mjs": speaking });
  await logger.waitFor("the registry has a new component", { key: "second" });
  await logger.waitFor("the registry has a new component", { key: "first", version: "2" });
  expect(await versionOf("second")).toEqual(["2.0.0"]);
  expect(await versionOf("first")).toEqual(["1.0.0"]);
});
