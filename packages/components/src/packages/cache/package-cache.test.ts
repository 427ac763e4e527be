import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { lockKey } from "../../../../model/src/package-lock.ts";
import { openTrial, type Trial } from "../../../../runtime/src/runtime.cases.ts";
import { startTestRegistry, type TestRegistry } from "../registry.cases.ts";

const folder = mkdtempSync(join(tmpdir(), "package-cache-"));
const [trees, archives] = [join(folder, "trees"), join(folder, "_cacache", "content-v2")];
let registry: TestRegistry;
let trial: Trial;

beforeAll(async () => {
  registry = await startTestRegistry();
  for (const name of ["deployed", "saved", "third"]) registry.publish(name, "1.0.0", `module.exports = "${name}";`);
});
afterAll(async () => {
  await registry.close();
  rmSync(folder, { recursive: true });
});

const component = (name: string): string =>
  `import it from "${name}"; export default { name: "Feed", version: "1", props: {}, run() { this.$emit(it); } };`;
const filesIn = (place: string): string[] =>
  readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Runs a runtime. When it has closed, the eviction of its cache is complete. */
async function during<T>(work: () => Promise<T>): Promise<T> {
  trial = await openTrial({ packages: { registry: registry.url, cache: folder, cacheBytes: 0 } });
  try {
    return await work();
  } finally {
    await trial.runtime.close();
  }
}

/** The folder of a component's packages. */
async function treeOf(id: string): Promise<string> {
  const { packageLock } = await trial.runtime.component(id);
  if (!packageLock) throw new Error("It has no packages");
  return join(trees, lockKey(packageLock));
}

test("packages of deployed sources stay, idle ones are evicted, and are fetched again", async () => {
  const idle = await during(async () => {
    const { source } = await trial.deploy(component("deployed"));
    const kept = await treeOf(source.componentId);
    const other = await treeOf((await trial.runtime.saveComponent({ code: component("saved") })).id);
    expect([kept, other].map((tree) => existsSync(tree))).toEqual([true, true]);
    for (const item of [kept, other, ...filesIn(archives)]) utimesSync(item, 1, 1);

    const { source: third } = await trial.deploy(component("third"));
    await trial.runtime.invoke(third.id);
    expect(await trial.payloads(third.id)).toEqual(["third"]);
    return other;
  });
  expect(existsSync(idle)).toBe(false);
  expect(readdirSync(trees)).toHaveLength(2);
  // Those of the last installation.
  expect(filesIn(archives).length).toBeGreaterThan(0);
  expect(readdirSync(join(folder, "staging"))).toEqual([]);

  await during(async () => {
    const { source } = await trial.deploy(component("saved"));
    await trial.runtime.invoke(source.id);
    expect(await trial.payloads(source.id)).toEqual(["saved"]);
  });
  expect(existsSync(idle)).toBe(true);
});

test("an invalid size is refused", async () => {
  const packages = { registry: registry.url, cache: folder, cacheBytes: Number.NaN };
  await expect(openTrial({ packages })).rejects.toMatchObject({ code: "invalid_options" });
});

test("a component that needs a part of another one's packages is installed without the registry, with links", async () => {
  registry.publish("inner", "1.0.0", `exports.inner = 1;`);
  for (const name of ["one", "two"])
    registry.publish(name, "1.0.0", `module.exports = { ${name}: require("inner").inner };`, {
      dependencies: { inner: "^1.0.0" },
    });
  await during(async () => {
    const feed = (imports: string, value: string): string =>
      `${imports} export default { name: "Feed", version: "1", props: {}, run() { this.$emit(${value}); } };`;
    const two = `import two from "two@1.0.0";`;
    await trial.deploy(feed(`import one from "one@1.0.0"; ${two}`, "[one, two]"));
    registry.requests.length = 0;
    const { source } = await trial.deploy(feed(two, "two"));
    expect(registry.requests).toEqual([]);
    await trial.runtime.invoke(source.id);
    expect(await trial.payloads(source.id)).toEqual([{ two: 1 }]);
    const { packages = [] } = await trial.runtime.component(source.componentId);
    expect(packages.map(({ name }) => name)).toEqual(["inner", "two"]);
    const tree = join(await treeOf(source.componentId), "node_modules");
    expect(readdirSync(tree).toSorted()).toEqual(["inner", "two"]);
    // Here, in the tree of the other component, and where it was unpacked.
    expect(statSync(join(tree, "inner", "index.js")).nlink).toBe(3);
  });
});
