import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { budgetApp, budgetComponent } from "../packages/types/src/typing/budget.cases.ts";
import {
  compile,
  type Compiler,
  compilers,
  emitDeclarations,
  parseErrors,
} from "../packages/types/src/typing/compiler.cases.ts";
import { parsePrograms, type Program, withoutDirectives } from "../packages/types/src/typing/program.cases.ts";
import { machine } from "./machine.ts";

const components = Number(process.argv[2] ?? 500);
const rounds = Number(process.argv[3] ?? 3);

const repository = fileURLToPath(new URL("..", import.meta.url));
const typing = join(repository, "packages/types/src/typing");
const peerModules = join(repository, "bench/peers/typing/node_modules");

/** A typing package, and how a program is converted to it. */
interface Package {
  readonly name: string;
  rewrite(source: string): string;
}

const ours: Package = { name: "@x/types", rewrite: (source) => source };

/** The top-level statement around a position: from one unindented line to the next. */
function blockAround(source: string, at: number): string {
  const edges = [...source.matchAll(/^\S/gm)].map(({ index }) => index);
  return source.slice(
    edges.findLast((edge) => edge <= at),
    edges.find((edge) => edge > at),
  );
}

/** Every component with a key and a type. */
const withHeads = (source: string): string =>
  source.replaceAll('name: "case",', (name, at: number) => {
    const block = blockAround(source, at);
    const missing = [' key: "case",', ' type: "source",'].filter(
      (field) =>
        !new RegExp(`(?:^ |[{,])${field.slice(0, field.indexOf(":"))}: "(?:case|source|action)"`, "m").test(block),
    );
    return name + missing.join("");
  });

const peer: Package = {
  name: "@pipedream/types",
  /** Converts names, two required fields and short forms; leaves what it has no types for. */
  rewrite: (source) =>
    withHeads(source)
      .replaceAll("defineComponent", "defineSource")
      .replaceAll('"@x/types"', '"@pipedream/types"')
      .replaceAll(/\b(db|http|timer): "(\$\.[a-z.]+)"/g, '$1: { type: "$2" }'),
};

/** Replaces types that the peer does not have, so that the components have no errors. */
const peerComponent = (source: string): string =>
  peer
    .rewrite(source)
    .replaceAll("async options({ page })", "async options({ page }: any)")
    .replaceAll("({ team }) =>", "({ team }: any) =>")
    .replaceAll("async run(event)", "async run(event: any)")
    .replaceAll(/return await this\.(acme\.)?teams\(page\);/g, "return [String(page)];")
    .replaceAll("this.$auth.region", "(this as any).$auth.region");

const options = {
  target: "es2022",
  lib: ["es2022"],
  module: "nodenext",
  types: [],
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  allowJs: true,
  checkJs: true,
};

async function project(directory: string, files: Iterable<readonly [string, string]>): Promise<string> {
  await mkdir(directory);
  await writeFile(join(directory, "tsconfig.json"), JSON.stringify({ compilerOptions: options }));
  for (const [file, source] of files) await writeFile(join(directory, file), source);
  return directory;
}

interface Case extends Program {
  readonly source: string;
  readonly extension: string;
}

const declaration = /^(const|interface|class|declare|async function|function|import|type) /;

/** The lines of top-level declarations; other lines are empty. */
function declared(lines: readonly string[]): string[] {
  let isKept = false;
  return lines.map((line) => {
    if (/^[^\s})\]]/.test(line)) isKept = declaration.test(line);
    return isKept ? line : "";
  });
}

/** Every program separately, at its original lines, with the earlier declarations. */
async function readCases(kind: "accept" | "reject"): Promise<Case[]> {
  const cases: Case[] = [];
  for (const name of await readdir(join(typing, kind))) {
    const file = `${kind}/${name}`;
    const source = await readFile(join(typing, file), "utf8");
    const lines = withoutDirectives(source).replace("../same.cases.ts", "./same.ts").split("\n");
    for (const program of parsePrograms(file, source)) {
      const own = [...declared(lines.slice(0, program.first - 1)), ...lines.slice(program.first - 1, program.last)];
      cases.push({ ...program, source: own.join("\n"), extension: name.endsWith(".js") ? ".js" : ".ts" });
    }
  }
  return cases;
}

interface Score {
  accepted: number;
  caught: number;
  once: number;
}

/** The number of programs with the expected result. */
async function score(package_: Package, compiler: Compiler, folder: string): Promise<Map<string, Score>> {
  const cases = [...(await readCases("accept")), ...(await readCases("reject"))];
  const same = await readFile(join(typing, "same.cases.ts"), "utf8");
  const files = cases.map((each, index) => {
    return [`p${index}${each.extension}`, package_.rewrite(each.source)] as const;
  });
  const directory = await project(join(folder, `programs-${compiler.name.slice(-1)}`), [["same.ts", same], ...files]);
  const errors = parseErrors(await compile(compiler, directory));
  // This error would hide all others.
  const syntax = errors.find(({ message }) => /^TS1[0-2]\d\d:/.test(message));
  if (syntax) throw new Error(`${syntax.file}:${syntax.line} has a syntax error: ${syntax.message}`);
  const scores = new Map<string, Score>();
  for (const [index, each] of cases.entries()) {
    const topic = each.file.slice(7).split(".")[0] ?? "";
    const counted = scores.get(topic) ?? { accepted: 0, caught: 0, once: 0 };
    scores.set(topic, counted);
    const found = errors.filter(
      ({ file, line }) => file.endsWith(`/p${index}${each.extension}`) && line >= each.first && line <= each.last,
    );
    const [expected] = each.expected;
    if (!expected) {
      counted.accepted += Number(found.length === 0);
      continue;
    }
    const caught = found.some(({ line }) => line === expected.line);
    counted.caught += Number(caught);
    counted.once += Number(caught && found.length === 1);
  }
  return scores;
}

interface Cost {
  readonly instantiations: number;
  readonly checkMs: number;
  readonly megabytes: number;
}

function parseCost(output: string): Cost {
  const [first] = parseErrors(output);
  if (first) throw new Error(`The components have errors: ${first.file} ${first.message}`);
  const read = (name: string): number => Number(new RegExp(`^${name}:\\s+([\\d.]+)`, "m").exec(output)?.[1]);
  return {
    instantiations: read("Instantiations"),
    checkMs: read("Check time") * 1_000,
    megabytes: read("Memory used") / 1_000,
  };
}

const quicker = (a: Cost | undefined, b: Cost): Cost => (a && a.checkMs <= b.checkMs ? a : b);

/** The best of several rounds for each directory; the directories alternate, so that load affects all. */
async function costs(compiler: Compiler, directories: readonly string[]): Promise<Cost[]> {
  const best: Cost[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const [index, directory] of directories.entries()) {
      best[index] = quicker(best[index], parseCost(await compile(compiler, directory, "--extendedDiagnostics")));
    }
  }
  return best;
}

const row = (...cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "x-typing-bench-"));
  try {
    const builds = { ours: join(folder, "ours"), peer: join(folder, "peer") };
    const declarations = join(builds.ours, "node_modules/@x/types");
    await mkdir(declarations, { recursive: true });
    await emitDeclarations(declarations);
    await writeFile(
      join(declarations, "package.json"),
      '{ "name": "@x/types", "type": "module", "types": "index.d.ts" }',
    );
    await mkdir(builds.peer);
    await symlink(peerModules, join(builds.peer, "node_modules"));

    console.log(machine());
    console.log("\nThe same programs: accepted with the right types, mistakes caught on their line, with one error\n");
    console.log(
      row("topic", "compiler", "accept", ours.name, peer.name, "reject", `${ours.name} (once)`, `${peer.name} (once)`),
    );
    console.log(row("---", "---", "---", "---", "---", "---", "---", "---"));
    const totals = new Map<string, { accept: number; reject: number }>();
    for (const each of [...(await readCases("accept")), ...(await readCases("reject"))]) {
      const topic = each.file.slice(7).split(".")[0] ?? "";
      const total = totals.get(topic) ?? { accept: 0, reject: 0 };
      totals.set(topic, total);
      total[each.expected.length === 0 ? "accept" : "reject"] += 1;
    }
    const none: Score = { accepted: 0, caught: 0, once: 0 };
    for (const compiler of compilers) {
      const [mine, theirs] = [await score(ours, compiler, builds.ours), await score(peer, compiler, builds.peer)];
      for (const [topic, { accept, reject }] of totals) {
        const [a, b] = [mine.get(topic) ?? none, theirs.get(topic) ?? none];
        console.log(
          row(
            topic,
            compiler.name,
            accept,
            a.accepted,
            b.accepted,
            reject,
            `${a.caught} (${a.once})`,
            `${b.caught} (${b.once})`,
          ),
        );
      }
    }

    const numbers = Array.from({ length: components }, (_, index) => index);
    const mine = await project(join(builds.ours, "many"), [
      ["app.ts", budgetApp],
      ...numbers.map((number) => [`c${number}.ts`, budgetComponent(number)] as const),
    ]);
    const theirs = await project(join(builds.peer, "many"), [
      ["app.ts", peerComponent(budgetApp)],
      ...numbers.map((number) => [`c${number}.ts`, peerComponent(budgetComponent(number))] as const),
    ]);
    console.log(`\nChecking ${components} components of ten props, best of ${rounds}\n`);
    console.log(row("compiler", "package", "instantiations per component", "check ms", "MB", "check time ratio"));
    console.log(row("---", "---", "---", "---", "---", "---"));
    for (const compiler of compilers) {
      const [a, b] = await costs(compiler, [mine, theirs]);
      if (!a || !b) throw new Error("No round was measured");
      for (const [{ name }, each] of [
        [ours, a],
        [peer, b],
      ] as const) {
        const perComponent = Math.round(each.instantiations / components);
        const ratio = (each.checkMs / b.checkMs).toFixed(1);
        console.log(
          row(compiler.name, name, perComponent, Math.round(each.checkMs), Math.round(each.megabytes), ratio),
        );
      }
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

if (!existsSync(peerModules)) {
  console.error("What is compared with is not installed: npm ci --prefix bench/peers/typing");
  process.exit(1);
}
await main();
