import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Json } from "@x/runtime";
import { afterAll, beforeAll, expect, test } from "vitest";

import { startTestRegistry, type TestRegistry } from "../../packages/components/src/packages/registry.cases.ts";
import { type Data, type Service, type SourceBody, startService } from "./fixture.ts";

interface WithPackages extends SourceBody {
  readonly packages?: readonly { readonly name: string; readonly version: string; readonly integrity: string }[];
}

const cache = mkdtempSync(join(tmpdir(), "conformance-packages-"));
let registry: TestRegistry;
let service: Service;
beforeAll(async () => {
  registry = await startTestRegistry();
  service = await startService({ packages: { registry: registry.url, cache } });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await registry.close();
  rmSync(cache, { recursive: true });
});

const importing = (specifier: string, comment = ""): string =>
  `import it from "${specifier}"; export default { name: "Feed", version: "1", run() { this.$emit(it); } };//${comment}`;

async function deploy(code: string): Promise<WithPackages> {
  const reply = await service.call<Data<WithPackages>>("POST", "/sources", { component_code: code });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body.data;
}

async function update(id: string, code: string): Promise<WithPackages> {
  const reply = await service.call<Data<WithPackages>>("PUT", `/sources/${id}`, { component_code: code });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body.data;
}

async function emits({ id }: WithPackages): Promise<Json | undefined> {
  await service.runtime.invoke(id);
  return (await service.emitted(id)).at(-1) ?? (await service.emitted(id))[0];
}

/** Publishes versions that export themselves, oldest first. */
function publish(name: string, ...versions: readonly string[]): void {
  for (const version of versions) {
    const code = `module.exports = ${JSON.stringify({ version })};`;
    registry.publish(name, version, { "index.js": code, "lib/part.js": code });
  }
}

test("R070 code imports packages without a manifest, with both module systems, including sub-paths and scopes", async () => {
  publish("plain", "1.0.0");
  publish("@scope/scoped", "1.0.0");
  const code = `
import plain from "plain";
import part from "@scope/scoped/lib/part";
const scoped = require("@scope/scoped");
export default { name: "Feed", version: "1", run() { this.$emit([plain, part, scoped]); } };`;
  const source = await deploy(code);
  const version = { version: "1.0.0" };
  expect(await emits(source)).toEqual([version, version, version]);
  const shown = source.packages?.map(({ name, version: exact, integrity }) => [name, exact, integrity.slice(0, 7)]);
  expect(shown).toEqual([
    ["@scope/scoped", "1.0.0", "sha512-"],
    ["plain", "1.0.0", "sha512-"],
  ]);
});

test("R070 a package that cannot be installed is refused with its name, and nothing is deployed", async () => {
  const before = (await service.call<{ page_info: { total_count: number } }>("GET", "/users/me/sources")).body;
  const reply = await service.call("POST", "/sources", { component_code: importing("no-such-package") });
  expect([reply.status, reply.body.code]).toEqual([422, "package_unresolved"]);
  expect(reply.body.error).toContain(`Package "no-such-package" imported by component.js`);
  const after = (await service.call<{ page_info: { total_count: number } }>("GET", "/users/me/sources")).body;
  expect(after).toEqual(before);
});

test("R071 a bare package name keeps the version of the first deploy over updates", async () => {
  publish("bare", "1.0.0", "1.1.0");
  const source = await deploy(importing("bare"));
  expect(await emits(source)).toEqual({ version: "1.1.0" });
  publish("bare", "2.0.0");
  const updated = await update(source.id, importing("bare", "changed"));
  expect(await emits(updated)).toEqual({ version: "1.1.0" });
  expect(updated.packages).toEqual(source.packages);
  expect(await emits(await deploy(importing("bare", "another source")))).toEqual({ version: "2.0.0" });
});

test("R072 pkg@latest is resolved at every update", async () => {
  publish("tagged", "1.0.0");
  const source = await deploy(importing("tagged@latest"));
  publish("tagged", "2.0.0");
  expect(await emits(await update(source.id, importing("tagged@latest")))).toEqual({ version: "2.0.0" });
});

test.each([
  ["@~1.2.0", "1.2.0", "1.2.9"],
  ["@^1.2.0", "1.2.0", "1.9.0"],
  ["@1.x", "1.2.0", "1.9.0"],
  ["@1.2.0", "1.2.0", "1.2.0"],
  ["", "1.2.0", "1.2.0"],
])("S28 an import with %j moves at an update from %s to %s", async (spec, first, then) => {
  const name = `moving-${Buffer.from(spec).toString("hex")}`;
  publish(name, "1.2.0");
  const code = importing(`${name}${spec}`);
  const source = await deploy(code);
  expect(await emits(source)).toEqual({ version: first });
  publish(name, "1.2.9", "1.9.0", "2.0.0");
  const updated = await update(source.id, code);
  expect([await emits(updated), updated.packages?.[0]?.version]).toEqual([{ version: then }, then]);
});

test("R072 a changed specifier is resolved again, the others keep their versions", async () => {
  publish("stays", "1.0.0");
  publish("changes", "1.0.0", "2.0.0");
  const both = (spec: string): string =>
    `import a from "stays"; import b from "changes${spec}"; export default { name: "Feed", version: "1", run() { this.$emit([a, b]); } };`;
  const source = await deploy(both("@1.0.0"));
  publish("stays", "1.5.0");
  const updated = await update(source.id, both("@^2.0.0"));
  expect(await emits(updated)).toEqual([{ version: "1.0.0" }, { version: "2.0.0" }]);
});

test.each([
  ["ranged@1.2.3", "1.2.3"],
  ["ranged@~1.2.3", "1.2.9"],
  ["ranged@^1.2.3", "1.9.0"],
  ["ranged@^1.2.3/lib/part.js", "1.9.0"],
  ["@scope/ranged@1.2.3", "1.2.3"],
  ["@scope/ranged@~1.2.3/lib/part", "1.2.9"],
])("R072 %s means version %s", async (specifier, version) => {
  const all = ["1.2.3", "1.2.9", "1.9.0", "2.0.0"];
  publish("ranged", ...all);
  publish("@scope/ranged", ...all);
  expect(await emits(await deploy(importing(specifier)))).toEqual({ version });
});

test("S38 the range of the nearest package.json applies to components from files, and the lock names the origin of ranges", async () => {
  publish("declared", "1.0.0", "1.4.0", "2.0.0");
  publish("written", "1.0.0", "2.0.0");
  publish("neither", "1.0.0", "2.0.0");
  const root = mkdtempSync(join(tmpdir(), "conformance-manifest-"));
  try {
    const folder = join(root, "acme");
    mkdirSync(folder);
    const dependencies = { declared: "^1.0.0", written: "^2.0.0" };
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "acme", dependencies }));
    const code = `import a from "declared"; import b from "written@1.0.0"; import c from "neither";
      export default { name: "Feed", version: "1", run() { this.$emit([a, b, c]); } };`;
    writeFileSync(join(folder, "feed.mjs"), code);
    const { source } = await service.runtime.deploy({ file: join(folder, "feed.mjs"), root });
    const shown = (await service.call<Data<WithPackages>>("GET", `/sources/${source.id}`)).body.data;
    expect(await emits(shown)).toEqual([{ version: "1.4.0" }, { version: "1.0.0" }, { version: "2.0.0" }]);
    const integrity = expect.stringMatching(/^sha512-/) as string;
    expect(shown.packages).toEqual([
      {
        integrity,
        name: "declared",
        version: "1.4.0",
        requested: "declared",
        from: "package.json",
        range: "^1.0.0",
        manifest: "acme/package.json",
      },
      { integrity, name: "neither", version: "2.0.0", requested: "neither", from: "latest" },
      { integrity, name: "written", version: "1.0.0", requested: "written@1.0.0", from: "import", range: "1.0.0" },
    ]);
    // Code sent as text has no manifest.
    expect(await emits(await deploy(importing("declared")))).toEqual({ version: "2.0.0" });
  } finally {
    rmSync(root, { recursive: true });
  }
});
