import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { afterAll, beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const copy = mkdtempSync(join(tmpdir(), "x-scope-"));
const { NODE_OPTIONS: _, NODE_PATH: __, ...env } = process.env;

async function run(program: string, ...args: readonly string[]): Promise<string> {
  const path = `${join(copy, "node_modules/.bin")}:${env["PATH"] ?? ""}`;
  const options = { cwd: copy, env: { ...env, PATH: path, NO_COLOR: "1" }, maxBuffer: 2 ** 26 };
  return (await promisify(execFile)(program, args, options)).stdout;
}
/** The scope before, also where no package follows. */
const former = /(?<![\w.])@x(?![\w.-])/g;
/** What has no text. */
const binary = ["wasm", "bin", "br", "gz"].map((ending) => `--exclude=*.${ending}`);
const packed = join(copy, ".tmp/packed");

beforeAll(async () => {
  const listed = await promisify(execFile)("git", ["ls-files", "-z", "-co", "--exclude-standard"], {
    cwd: root,
    maxBuffer: 2 ** 26,
  });
  for (const path of listed.stdout.split("\0").filter(Boolean)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(root, path), join(copy, path), { verbatimSymlinks: true });
  }
  await run("git", "init", "--quiet");
  await run(process.execPath, "scripts/rename-scope.mjs", "@acme");
  // Installs from the store of this machine, builds, and packs.
  await run("sh", "scripts/pack.sh", packed);
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

test("a renamed scope is in every packed package, and the former one in none", async () => {
  const { readPacked } = (await import(join(copy, "scripts/packed-manifests.mjs"))) as {
    readPacked(folder: string): { file: string; manifest: { name: string } }[];
  };
  const packages = readPacked(packed);
  expect(packages.map(({ manifest }) => manifest.name)).toEqual(expect.arrayContaining(["@acme/cli", "@acme/create"]));
  for (const { file, manifest } of packages) {
    expect(manifest.name).toMatch(/^@acme\//);
    const texts = await run("tar", "-xzOf", file, ...binary);
    expect(texts.match(former) ?? [], manifest.name).toEqual([]);
  }
});

test("a project of a renamed command installs the packages of its scope", async () => {
  await run(
    process.execPath,
    "packages/create/dist/main.js",
    "renamed",
    "--template",
    "timer",
    "--ts",
    "--dir",
    ".tmp/renamed",
  );
  const manifest = JSON.parse(readFileSync(join(copy, ".tmp/renamed/package.json"), "utf8")) as object;
  expect(manifest).toMatchObject({
    dependencies: { "@acme/types": expect.any(String) as unknown },
    devDependencies: { "@acme/cli": expect.any(String) as unknown, "@acme/testing": expect.any(String) as unknown },
  });
  expect(readFileSync(join(copy, ".tmp/renamed/renamed.ts"), "utf8")).toContain('from "@acme/types"');
});

test("the renamed repository is formatted, typed and in order", async () => {
  await run("oxfmt");
  expect(await run("tsc", "-p", ".")).toBe("");
  const tests = ["architecture", "words", "docs-lists", "release/changelog"].map((name) => `test/${name}.test.ts`);
  expect(await run("vitest", "run", ...tests)).toMatch(/^ +Tests +\d+ passed \(\d+\)$/m);
});
