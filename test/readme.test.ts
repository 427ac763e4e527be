import { execFile, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { freePort } from "./free-port.ts";
import { type Block, blocksIn, expectInOrder } from "./markdown-blocks.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

describe("README.md", () => {
  let folder = "";
  let blocks: Block[] = [];
  const of = (info: string): Block[] => blocks.filter((block) => block.info === info);

  beforeAll(async () => {
    blocks = blocksIn(await readFile(join(root, "README.md"), "utf8"));
    // Inside the repository, so that imports of the packages resolve, and next to the launcher and the examples.
    await mkdir(join(root, "test/.tmp"), { recursive: true });
    folder = await mkdtemp(join(root, "test/.tmp/readme-"));
    for (const name of ["x", "examples"]) await symlink(join(root, name), join(folder, name));
    await mkdir(join(folder, "test"));
    for (const { file, text } of [...of("js"), ...of("ts")])
      if (file !== undefined) await writeFile(join(folder, file), text);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("is at most 120 lines and has blocks of every kind", async () => {
    expect((await readFile(join(root, "README.md"), "utf8")).split("\n").length - 1).toBeLessThanOrEqual(120);
    expect([...new Set(blocks.map(({ info }) => info))].sort()).toEqual(["js", "sh", "sh setup", "ts"]);
  });

  it("sets up with a script that exists", async () => {
    const { scripts } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { scripts: object };
    for (const { text } of of("sh setup")) expect(text.trim()).toMatch(/^npm (?:start|test)$/);
    expect(scripts).toMatchObject({ start: expect.any(String), test: expect.any(String) });
  });

  it("has shell commands that work, one after another, and show what it says", async (context) => {
    if (spawnSync("curl", ["--version"]).error) context.skip("curl is not installed");
    const port = String(await freePort());
    const shell = of("sh");
    const commands = shell
      .map(({ text }) => text)
      .join("\n")
      .replaceAll("7777", port);
    const script = `set -eu\ntrap 'kill $! && wait $! || :' EXIT\n${commands}`;
    const { stdout } = await promisify(execFile)("sh", ["-c", script], { cwd: folder });
    expect(shell.flatMap(({ shown }) => shown).length).toBeGreaterThan(4);
    expectInOrder(
      stdout,
      shell.flatMap(({ shown }) => shown),
    );
  });

  it("has TypeScript that runs and shows what it says", async () => {
    const programs = of("ts").filter(({ file }) => !file?.endsWith(".test.ts"));
    expect(programs).toHaveLength(1);
    for (const { file = "", shown } of programs) {
      const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: folder });
      expectInOrder(stdout, shown);
    }
  });
});
