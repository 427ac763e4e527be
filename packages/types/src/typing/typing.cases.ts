import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { budgetApp, budgetComponent } from "./budget.cases.ts";
import { type Compiler, emitDeclarations, type Found, parseErrors } from "./compiler.cases.ts";
import { compileOnce } from "./compile-cache.cases.ts";
import { parsePrograms, type Program, withoutDirectives } from "./program.cases.ts";

const typing = fileURLToPath(new URL(".", import.meta.url));
const instantiationsPerComponent = 2_060;
const components = 10;

const sources = new Map<string, string>();
for (const kind of ["accept", "reject"]) {
  for (const name of await readdir(join(typing, kind))) {
    sources.set(`${kind}/${name}`, await readFile(join(typing, kind, name), "utf8"));
  }
}
const programs: readonly Program[] = [...sources].flatMap(([file, source]) => parsePrograms(file, source));

/** The compilers read the published declarations, not the sources. */
const options = {
  target: "es2022",
  lib: ["es2022"],
  module: "nodenext",
  types: [],
  strict: true,
  noEmit: true,
  // The types of exported components must be nameable.
  declaration: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  allowJs: true,
  checkJs: true,
};

/** Every program, and what it costs, with each of the compilers. */
export function describeTyping(chosen: readonly Compiler[]): void {
  let folder = "";
  const errors = new Map<Compiler, readonly Found[]>();
  const notStrict = new Map<Compiler, readonly Found[]>();
  const instantiations = new Map<Compiler, number>();

  type Files = Iterable<readonly [string, string]>;

  async function project(name: string, files: Files, changed: Partial<typeof options> = {}): Promise<string> {
    const directory = join(folder, name);
    await mkdir(directory);
    const paths = { "@x/types": [join(folder, "types", "index.d.ts")] };
    const compilerOptions = { ...options, ...changed, paths };
    await writeFile(join(directory, "tsconfig.json"), JSON.stringify({ compilerOptions }));
    for (const [file, source] of files) {
      await mkdir(join(directory, file, ".."), { recursive: true });
      await writeFile(join(directory, file), source);
    }
    return directory;
  }

  async function countInstantiations(compiler: Compiler, directory: string): Promise<number> {
    const output = await compileOnce(compiler, directory, join(folder, "types"), "--extendedDiagnostics");
    expect(parseErrors(output)).toEqual([]);
    return Number(/^Instantiations:\s+(\d+)$/m.exec(output)?.[1]);
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "x-typing-"));
    await emitDeclarations(join(folder, "types"));

    const same = await readFile(join(typing, "same.cases.ts"), "utf8");
    const all = await project("programs", [
      ["same.cases.ts", same],
      ...[...sources].map(([file, source]) => [file, withoutDirectives(source)] as const),
    ]);
    const budget = await project("budget", [
      ["app.ts", budgetApp],
      ...Array.from({ length: components }, (_, index) => [`c${index}.ts`, budgetComponent(index)] as const),
    ]);
    const javascript = sources.get("accept/javascript.test-d.js") ?? "";
    const scripts = await project("scripts", [["javascript.js", javascript]], { strict: false });
    for (const compiler of chosen) {
      const [output, scriptsOutput, count] = await Promise.all([
        compileOnce(compiler, all, join(folder, "types")),
        compileOnce(compiler, scripts, join(folder, "types")),
        countInstantiations(compiler, budget),
      ]);
      errors.set(compiler, parseErrors(output));
      notStrict.set(compiler, parseErrors(scriptsOutput));
      instantiations.set(compiler, count);
    }
  });

  afterAll(() => rm(folder, { recursive: true }));

  /** The errors in the lines of a program. */
  const foundIn = (compiler: Compiler, { file, first, last }: Program): Found[] =>
    (errors.get(compiler) ?? []).filter((each) => each.file.endsWith(file) && each.line >= first && each.line <= last);

  /** An error in the form of an expectation; equal to it when position and message are right. */
  function described({ file, line, column, message }: Found, { expected }: Program): object {
    const lines = sources.get(file.split("/").slice(-2).join("/"))?.split("\n") ?? [];
    const rest = lines[line - 1]?.slice(column - 1);
    const match = expected.find((each) => each.line === line);
    return {
      line,
      at: match && rest?.startsWith(match.at) ? match.at : rest,
      words: match && message.includes(match.words) ? match.words : message,
    };
  }

  describe.each(chosen)("$name", (compiler) => {
    test.each(programs.filter(({ file }) => file.startsWith("accept/")))("accepts: $title", (program) => {
      expect(foundIn(compiler, program)).toEqual([]);
    });

    test.each(programs.filter(({ file }) => file.startsWith("reject/")))("rejects once: $title", (program) => {
      expect(program.expected).toHaveLength(1);
      expect(foundIn(compiler, program).map((found) => described(found, program))).toEqual(program.expected);
    });

    test("nothing outside the programs is an error", () => {
      const inside = programs.flatMap((program) => foundIn(compiler, program));
      expect((errors.get(compiler) ?? []).filter((found) => !inside.includes(found))).toEqual([]);
    });

    test("JavaScript is accepted without strict checks", () => {
      expect(notStrict.get(compiler)).toEqual([]);
    });

    test(`a component of ten props costs at most ${instantiationsPerComponent} instantiations`, () => {
      // Includes the shared app and the library.
      const cost = (instantiations.get(compiler) ?? Number.NaN) / components;
      expect(cost).toBeGreaterThan(0);
      expect(cost).toBeLessThanOrEqual(instantiationsPerComponent);
    });
  });

  test("there are at least 120 programs with different titles", () => {
    const titles = programs.map(({ file, title }) => `${file.slice(0, 6)} ${title}`);
    expect(titles.length).toBeGreaterThanOrEqual(120);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });

  test("no message ends in never", () => {
    const messages = [...errors.values()].flat().map(({ message }) => message);
    expect(messages.filter((message) => /to type 'never'/.test(message))).toEqual([]);
  });
}
