import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, createRuntime, type Engine, type Runtime } from "@x/runtime";
import { afterAll, expect, test } from "vitest";

import { startTestRegistry } from "../../packages/components/src/packages/registry.cases.ts";
import { publishGeneratedPackages } from "./generated-packages.ts";
import { makeRegistryTree } from "./tree.ts";

const work = mkdtempSync(join(tmpdir(), "x-registry-test-"));
afterAll(() => rmSync(work, { recursive: true }));

test("a tree of components with packages is read once, kept small, and found again without a build", async () => {
  await using npm = await startTestRegistry();
  publishGeneratedPackages(npm);
  // Of two apps with the large package; one is broken.
  const tree = await makeRegistryTree(join(work, "tree"), 32);
  const own = await createEngine({ workers: 1 });
  await using _end = own;
  let bundles = 0;
  let bundleBytes = 0;
  const engine: Engine = {
    ...own,
    bundler: {
      ...own.bundler,
      async bundle(input, use) {
        bundles += 1;
        const built = await own.bundler.bundle(input, use);
        bundleBytes += built.bundle.length + built.sourceMap.length;
        return built;
      },
    },
  };
  const data = join(work, "data");
  const open = (): Promise<Runtime> =>
    createRuntime({ registry: tree.folder, data, engine, packages: { registry: npm.url } });

  const first = await open();
  const items = await first.registry();
  expect(items.flatMap(({ key }) => key ?? []).toSorted()).toEqual(tree.keys.toSorted());
  expect(items.filter(({ problem }) => problem).length).toBe(tree.broken);
  for (const key of tree.oddKeys) expect((await first.registryComponent(key)).shape.key).toBe(key);
  await first.close();
  expect(bundles).toBeGreaterThan(tree.keys.length);
  // What a catalogue with bundles would hold, and what this one has.
  expect(JSON.stringify(items).length).toBeLessThan(bundleBytes / 1000);
  const stored = readdirSync(data).filter((name) => name.startsWith("x.db"));
  const storedBytes = stored.reduce((sum, name) => sum + statSync(join(data, name)).size, 0);
  expect(storedBytes).toBeLessThan(bundleBytes / 15);

  bundles = 0;
  const second = await open();
  expect(await second.registry()).toEqual(items);
  expect(bundles).toBe(0);
  const [key = ""] = tree.keys;
  const { source } = await second
    .deploy({ key, props: { app: { authProvisionId: "none" }, project: "p" } })
    .catch((error: unknown) => ({ source: String(error) }));
  expect(source).toContain("account");
  const texts = await second.componentTexts(items.find((item) => item.key === key)?.componentId ?? "");
  expect(texts.bundle.length).toBeGreaterThan(400_000);
  await second.close();
});
