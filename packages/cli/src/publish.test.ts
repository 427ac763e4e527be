import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

import { runHere } from "./run-here.cases.ts";
import { recordLog } from "../../components/src/registry/registry.cases.ts";
import { startServiceHere } from "./serve/service-here.cases.ts";
import { makeFolder, runX } from "./spawned.cases.ts";

const code = (version: string): string => `import base from "../common.mjs";
export default { ...base, name: "New thing", key: "acme-new-thing", version: "${version}" };
`;

/** A component in files, below a folder. */
async function writeAcme(folder: string, version: string): Promise<void> {
  await mkdir(join(folder, "acme/sources"), { recursive: true });
  await writeFile(join(folder, "acme/common.mjs"), `export default { run() { this.$emit(1); } };\n`);
  await writeFile(join(folder, "acme/sources/new-thing.mjs"), code(version));
}

test("S10 what is published while a service runs is served by its key without a restart", async () => {
  await using folder = await makeFolder();
  await mkdir(join(folder.path, "registry"));
  const logger = recordLog();
  const registry = join(folder.path, "registry");
  await using service = await startServiceHere(folder.path, { registry, apiKey: "k", logger });
  const read = async (): Promise<{ status: number; version: string | undefined }> => {
    const reply = await fetch(`${service.baseUrl}/components/registry/acme-new-thing`, {
      headers: { authorization: "Bearer k" },
    });
    const { data } = (await reply.json()) as { data?: { version: string } };
    return { status: reply.status, version: data?.version };
  };
  expect(await read()).toEqual({ status: 404, version: undefined });
  for (const version of ["0.1", "0.2"]) {
    await writeAcme(folder.path, version);
    const {
      code: exitCode,
      out,
      err,
    } = await runHere(["publish", "acme/sources/new-thing.mjs", "--root", "acme"], {
      cwd: folder.path,
    });
    expect([exitCode, err]).toEqual([0, ""]);
    const [, path = ""] =
      /^Published(?: again)?: acme-new-thing 0\.\d\n {2}(\S+)\n {2}with common\.mjs\n$/.exec(out) ?? [];
    expect(await readFile(join(folder.path, path), "utf8")).toBe(code(version));
    await logger.waitFor("the registry has a new component", { version });
    expect(await read()).toEqual({ status: 200, version });
  }
});

test("x publish takes its registry from X_REGISTRY, and prints results and errors as JSON", async () => {
  await using folder = await makeFolder({ "no-key.js": `export default { name: "A", version: "1", run() {} };` });
  await writeAcme(folder.path, "1");
  const options = { cwd: folder.path, env: { X_REGISTRY: "shelf" } };
  const done = await runX(["publish", "acme/sources/new-thing.mjs", "--root", "acme", "--json"], options);
  expect(done.code).toBe(0);
  const { file, ...rest } = JSON.parse(done.out) as { file: string };
  expect(file.startsWith(join(folder.path, "shelf", "acme-new-thing"))).toBe(true);
  expect(rest).toMatchObject({
    key: "acme-new-thing",
    name: "New thing",
    version: "1",
    registry: join(folder.path, "shelf"),
    files: ["sources/new-thing.mjs", "common.mjs"],
    change: "new",
  });
  const refused = await runHere(["publish", "no-key.js", "--json"], { cwd: folder.path });
  expect([refused.code, refused.out]).toEqual([1, expect.stringMatching(/^[^\n]+\n$/)]);
  expect(JSON.parse(refused.out)).toMatchObject({ error: { code: "invalid_component" }, exit_code: 1 });
});

test("x publish refuses a key that is taken and a command line without a file, exit 2", async () => {
  await using folder = await makeFolder();
  await writeAcme(folder.path, "1");
  await mkdir(join(folder.path, "registry"));
  await writeFile(
    join(folder.path, "registry/taken.mjs"),
    `export default { name: "Taken", key: "acme-new-thing", version: "1", run() {} };`,
  );
  const { code: exitCode, err } = await runHere(["publish", "acme/sources/new-thing.mjs", "--root", "acme"], {
    cwd: folder.path,
  });
  expect([exitCode, err]).toEqual([
    2,
    expect.stringMatching(/^error\[key_conflict\]: .*taken\.mjs has it already\.\n$/),
  ]);
  expect(await runHere(["publish"], { cwd: folder.path })).toMatchObject({
    code: 2,
    err: "error: x publish needs the file of a component\nSee x publish --help.\n",
  });
});

test("x serve with a registry that does not exist ends at once, exit 2", async () => {
  await using folder = await makeFolder();
  const { code: exitCode, err } = await runHere(["serve", "--port", "0", "--registry", "absent"], { cwd: folder.path });
  expect([exitCode, err]).toEqual([
    2,
    'error[invalid_options]: Option "registry" must be a folder that exists, got "absent".\n',
  ]);
});
