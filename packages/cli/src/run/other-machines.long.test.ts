import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { startTestRegistry } from "../../../components/src/packages/registry.cases.ts";
import { spawnX } from "../spawned.cases.ts";

const folder = mkdtempSync(join(tmpdir(), "x-machines-"));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const component = (imports: string, value: string): string =>
  `${imports}\nexport default { name: "T", version: "1", key: "t", description: "T", run() { this.$emit(${value}) } };`;

/** A program that the processes of x load first: the user is not in the system's list, and HOME is not set. */
const homeless = write(
  "homeless.mjs",
  `import os from "node:os";
  import { syncBuiltinESMExports } from "node:module";
  os.homedir = () => {
    if (process.env.HOME) return process.env.HOME;
    throw new Error("A system error occurred: uv_os_homedir returned ENOENT (no such file or directory)");
  };
  syncBuiltinESMExports();`,
);

test("x run and x lint work for a user without a home folder, also with packages", async () => {
  await using registry = await startTestRegistry();
  registry.publish("kind-of-one", "1.0.0", "module.exports = 1;");
  const file = write("packaged.mjs", component('import one from "kind-of-one@1.0.0";', "one"));
  const env = { HOME: "", TMPDIR: folder, NODE_OPTIONS: `--import=${homeless}`, npm_config_registry: registry.url };
  for (const args of [
    ["run", file],
    ["lint", file],
    ["run", write("plain.mjs", component("", "1"))],
  ]) {
    await using child = spawnX(args, { env });
    expect(await child.exit, child.err()).toBe(0);
  }
});

test("the log names the package cache that cannot be written", async () => {
  await using registry = await startTestRegistry();
  registry.publish("kind-of-two", "1.0.0", "module.exports = 2;");
  const file = write("uncached.mjs", component('import two from "kind-of-two@1.0.0";', "two"));
  // A file where the folder should be: nobody can write below it, not even root.
  const cache = write("not-a-folder", "");
  await using child = spawnX(["run", file], { env: { XDG_CACHE_HOME: cache, npm_config_registry: registry.url } });
  expect(await child.exit).not.toBe(0);
  expect(child.err()).toContain(`the package cache cannot be written  folder: ${cache}/x/packages`);
});

test.each([
  ["that is not for this machine", "not a program", 0o755],
  ["that may not be executed", "#!/bin/sh", 0o644],
  ["that ends at once", "#!/bin/sh\nexit 1\n", 0o755],
])("x doctor finds a bundler %s", async (_about, text, mode) => {
  const binary = write("esbuild", text);
  chmodSync(binary, mode);
  const args = ["doctor", "--offline", "--data", join(folder, "data")];
  await using doctor = spawnX(args, { env: { ESBUILD_BINARY_PATH: binary } });
  expect(await doctor.exit).toBe(4);
  expect(doctor.out()).toMatch(/^problem +bundler +\S/m);
  expect(doctor.out()).not.toContain(binary);
});

test("--host takes an IPv6 address with the brackets that it has in URLs", async () => {
  const args = ["serve", "--port", "0", "--no-inspector", "--data", join(folder, "served"), "--host"];
  for (const host of ["[::1]", "::1"]) {
    await using child = spawnX([...args, host]);
    const [, url = ""] = await child.printed(/^Serving on (http:\/\/\[::1\]:\d+)\/v1/m);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  }
});
