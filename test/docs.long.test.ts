import { execFile } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { format, promisify } from "node:util";

import { runCommandLine } from "@x/cli";
import type { Engine } from "@x/runtime";
import { afterAll, describe, expect, it, vi } from "vitest";

import { exitCodeOfRuns } from "../packages/cli/src/exit-code.ts";
import { parseArguments } from "../packages/cli/src/arguments/arguments.ts";
import { createRunEngine, runOnEngine } from "../packages/cli/src/run/single-run.ts";
import { readRunOptions, runCommand } from "../packages/cli/src/run/run.ts";
import { resultText } from "../packages/cli/src/run/result-text.ts";
import { freePort } from "./free-port.ts";
import { type Block, blocksIn, expectInOrder } from "./markdown-blocks.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const pageOf = (name: string): string => readFileSync(join(root, "docs", name), "utf8");

/** The pages, each with a folder inside the repository, so that imports of the packages resolve. */
mkdirSync(join(root, "test/.tmp"), { recursive: true });
const folder = mkdtempSync(join(root, "test/.tmp/docs-"));
const pages = globSync("{.,guides,concepts}/*.md", { cwd: join(root, "docs") })
  .toSorted()
  .map((name) => {
    const page = { name, folder: join(folder, name.slice(0, -3)), blocks: blocksIn(pageOf(name)) };
    mkdirSync(page.folder, { recursive: true });
    for (const { file, text } of page.blocks)
      if (file !== undefined) {
        mkdirSync(dirname(join(page.folder, file)), { recursive: true });
        writeFileSync(join(page.folder, file), text);
      }
    return page;
  });
type Page = (typeof pages)[number];

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const kinds = new Set(["js", "ts", "ts run", "sh", "text", "json"]);

/** Runs work; resolves with its output. */
async function printed(work: () => Promise<unknown>): Promise<string> {
  const lines: string[] = [];
  const spies = (["log", "error"] as const).map((method) =>
    vi.spyOn(console, method).mockImplementation((...words) => void lines.push(format(...words))),
  );
  try {
    await work();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return lines.join("\n");
}

/** The words of a command line in the pages; names of the page's files get their folder. */
const shellWords = (line: string, page: Page): string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = ""]) =>
    page.blocks.some(({ file }) => file === plain) ? join(page.folder, plain) : (quoted ?? plain),
  );

/** One engine for all pages; each `x run` of a user starts its own. */
let engine: Promise<Engine> | undefined;
afterAll(async () => (await engine)?.close());

/** The output of `x run`. */
async function runShot(words: readonly string[]): Promise<string> {
  const options = readRunOptions(parseArguments(runCommand.flags, words));
  engine ??= createRunEngine(options);
  return await runOnEngine(options, await engine, (shot) => {
    expect(exitCodeOfRuns(shot.runs), words.join(" ")).toBe(0);
    return resultText(shot, options.root);
  });
}

/** The output of a block whose lines are all commands of x. */
async function runCommands({ text }: Block, page: Page): Promise<string> {
  const printouts: string[] = [];
  for (const line of text.split("\n").filter((each) => each.startsWith("x "))) {
    const [command = "", ...words] = shellWords(line.slice(2), page);
    const runElse = async (): Promise<void> => expect(await runCommandLine([command, ...words]), line).toBe(0);
    printouts.push(await (command === "run" ? runShot(words) : printed(runElse)));
  }
  return printouts.join("\n");
}

const isPlain = ({ info, text }: Block): boolean =>
  info === "sh" && !/^(?!x (?:run|lint|explain|types) |#|$)/m.test(text);

/** Runs the other shell blocks of a page in sequence, with x and the files of the page. */
async function runShell(page: Page, shell: readonly Block[]): Promise<string> {
  const x = join(page.folder, "x");
  const main = join(root, "packages/cli/dist/main.js");
  writeFileSync(x, `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`, { mode: 0o755 });
  const commands = shell.map(({ text }) => text).join("\n");
  // A busy machine takes longer to start a service than readers wait.
  const patient = commands.replaceAll("--retry 30 ", "--retry 600 ");
  const script = `set -eu\ntrap 'kill $! 2>/dev/null && wait $! || :' EXIT\n${patient}`;
  const env = { ...process.env, PATH: `${page.folder}:${process.env["PATH"] ?? ""}` };
  const { stdout } = await promisify(execFile)("sh", ["-c", script.replaceAll("7777", String(await freePort()))], {
    cwd: page.folder,
    env,
  });
  return stdout;
}

const isShell = (block: Block): boolean => block.info === "sh" && !isPlain(block);
const isTest = ({ file }: Block): boolean => file?.includes(".test.") ?? false;
const isProgram = ({ info }: Block): boolean => info === "ts run";
const pagesWith = (kind: (block: Block) => boolean): Page[] => pages.filter(({ blocks }) => blocks.some(kind));

it.for(pages)("docs/$name has blocks of the kinds that are run, and leads to files that are there", (page) => {
  expect(page.blocks.filter(({ info }) => !kinds.has(info))).toEqual([]);
  const links = [...pageOf(page.name).matchAll(/\]\((?!#)([^)#\s]+)/g)].map(([, link = ""]) => link);
  expect(links.filter((link) => !existsSync(join(root, "docs", dirname(page.name), link)))).toEqual([]);
});

it.for(pagesWith(isPlain))("docs/$name has commands that show what it says", async (page) => {
  const commands = page.blocks.filter(isPlain);
  expect(commands.flatMap(({ shown }) => shown)).not.toEqual([]);
  for (const block of commands) expectInOrder(await runCommands(block, page), block.shown);
});

it.concurrent.for(pagesWith(isShell))(
  "docs/$name has shell lines that work, one after another, and show what it says",
  async (page) => {
    const shell = page.blocks.filter(isShell);
    const shown = shell.flatMap((block) => block.shown);
    expect(shown).not.toEqual([]);
    expectInOrder(await runShell(page, shell), shown);
  },
);

it.for(pagesWith(isProgram))("docs/$name has programs that show what it says", async (page) => {
  for (const { file = "", shown } of page.blocks.filter(isProgram)) {
    expect(shown, file).not.toEqual([]);
    expectInOrder(await printed(() => import(join(page.folder, file))), shown);
  }
});

describe.each(pagesWith(isTest))("docs/$name", async (page) => {
  // The tests in the blocks of the page become tests of this file.
  for (const { file = "" } of page.blocks.filter(isTest)) await import(join(page.folder, file));
});
