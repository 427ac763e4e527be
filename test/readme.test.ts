import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const slowMs = 60_000;

interface Block {
  /** Language and mark after the opening fence, such as `sh setup`. */
  readonly info: string;
  readonly text: string;
  /** What `# ->` and `// ->` lines say appears in the output, in this order. */
  readonly shown: readonly string[];
}

async function blocksOf(file: string): Promise<Block[]> {
  const page = await readFile(join(root, file), "utf8");
  return [...page.matchAll(/^```(.+)\n([\s\S]*?)^```$/gm)].map(([, info = "", text = ""]) => ({
    info,
    text,
    shown: [...text.matchAll(/^(?:#|\/\/) -> (.*)$/gm)].map(([, line = ""]) => line),
  }));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address !== "object" || address === null) throw new Error("No port is free.");
  return address.port;
}

function expectInOrder(output: string, shown: readonly string[]): void {
  let at = 0;
  for (const line of shown) {
    expect(output.slice(at)).toContain(line);
    at = output.indexOf(line, at) + line.length;
  }
}

// A block may show a parameter that it does not use.
const compilerOptions = { noEmit: true, types: ["node"], noUnusedLocals: false, noUnusedParameters: false };

describe("README.md", () => {
  let folder = "";
  let blocks: Block[] = [];
  const of = (info: string): Block[] => blocks.filter((block) => block.info === info);

  beforeAll(async () => {
    blocks = await blocksOf("README.md");
    await promisify(execFile)("npm", ["run", "--silent", "build"], { cwd: root }).catch((error: { stdout: string }) => {
      throw new Error(`The build failed:\n${error.stdout}`);
    });
    // Inside the repository, so that the packages are found, and with the launcher and the examples beside it.
    await mkdir(join(root, "test/.tmp"), { recursive: true });
    folder = await mkdtemp(join(root, "test/.tmp/readme-"));
    for (const name of ["x", "examples"]) await symlink(join(root, name), join(folder, name));
    for (const { text } of [...of("js"), ...of("ts")]) {
      const name = /^\/\/ ([\w.-]+)\b.*\n/.exec(text)?.[1];
      if (name !== undefined) await writeFile(join(folder, name), text);
    }
  }, slowMs);

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

  it(
    "has shell commands that work, one after another, and show what it says",
    async (context) => {
      if (spawnSync("curl", ["--version"]).error) context.skip("curl is not installed");
      const port = String(await freePort());
      const shell = of("sh");
      const commands = shell
        .map(({ text }) => text)
        .join("\n")
        .replaceAll("7777", port);
      const script = `set -eu\ntrap 'kill $! && wait $! || :' EXIT\n${commands}`;
      const { stdout } = await promisify(execFile)("sh", ["-c", script], { cwd: folder });
      expect(shell.flatMap(({ shown }) => shown).length).toBeGreaterThan(5);
      expectInOrder(
        stdout,
        shell.flatMap(({ shown }) => shown),
      );
    },
    slowMs,
  );

  it(
    "has TypeScript that compiles, runs and shows what it says",
    async () => {
      const programs = of("ts");
      expect(programs).toHaveLength(1);
      for (const { text, shown } of programs) {
        const name = /^\/\/ ([\w.-]+)\b.*\n/.exec(text)?.[1] ?? "";
        const { stdout } = await promisify(execFile)(process.execPath, [name], {
          cwd: folder,
        });
        expectInOrder(stdout, shown);
      }
    },
    slowMs,
  );

  it(
    "and the readmes of the packages have TypeScript that a strict compiler accepts",
    async () => {
      const files: string[] = [];
      for (const file of ["", "types", "runtime", "server", "cli"].map((name) =>
        name ? `packages/${name}/README.md` : "README.md",
      )) {
        for (const { info, text } of await blocksOf(file)) {
          if (info !== "ts") continue;
          files.push(`block-${files.length}.ts`);
          await writeFile(join(folder, `block-${files.length - 1}.ts`), text);
        }
      }
      expect(files.length).toBeGreaterThan(3);
      const config = { extends: join(root, "tsconfig.base.json"), compilerOptions, files };
      await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
      const { stdout } = await promisify(execFile)(join(root, "node_modules/.bin/tsc"), ["-p", folder]).catch(
        (error: { stdout: string }) => error,
      );
      expect(stdout).toBe("");
    },
    slowMs,
  );
});
