import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { coverageConfig, coveredProject } from "./coverage.cases.ts";
import { findInstrumentation } from "./coverage.ts";

/** In the package folder, so that the project finds vitest and the build of this package. */
const folders = fileURLToPath(new URL("../.tmp/", import.meta.url));
const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true });
});

interface Range {
  readonly start: { readonly line: number; readonly column: number };
}
interface FileCoverage {
  readonly statementMap: Record<string, Range>;
  readonly s: Record<string, number>;
  readonly fnMap: Record<string, { readonly name: string }>;
  readonly f: Record<string, number>;
  readonly branchMap: Record<string, { readonly loc: Range }>;
  readonly b: Record<string, number[]>;
}

const engines = ["quickjs", "node"];

/** Runs vitest on a copy of the project per engine. The report, by engine and file name. */
async function measure(): Promise<Map<string, Record<string, FileCoverage>>> {
  mkdirSync(folders, { recursive: true });
  const folder = mkdtempSync(join(folders, "coverage-"));
  made.push(folder);
  writeFileSync(join(folder, "vitest.config.mjs"), coverageConfig);
  for (const engine of engines)
    for (const [name, text] of Object.entries(coveredProject(engine))) {
      mkdirSync(dirname(join(folder, engine, name)), { recursive: true });
      writeFileSync(join(folder, engine, name), text);
    }
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [vitest, "run", "--coverage", "--testTimeout=120000"], {
    cwd: folder,
    env: { PATH, HOME, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) },
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (printed += text));
  const [code] = (await once(child, "close")) as [number];
  expect(code, printed).toBe(0);
  const report = JSON.parse(readFileSync(join(folder, "coverage/coverage-final.json"), "utf8")) as object;
  return new Map(
    engines.map((engine) => {
      const start = join(folder, engine, "/");
      const files = Object.entries(report).filter(([path]) => path.startsWith(start));
      const named = files.map(([path, file]) => [path.slice(start.length), file as FileCoverage]);
      return [engine, Object.fromEntries(named) as Record<string, FileCoverage>];
    }),
  );
}

const marked = (text: string, sign: string): number[] =>
  text.split("\n").flatMap((line, index) => (line.endsWith(`//${sign}`) ? [index + 1] : []));

function lines({ statementMap, s }: FileCoverage): { ran: number[]; idle: number[] } {
  const hits = new Map<number, number>();
  for (const [key, { start }] of Object.entries(statementMap))
    hits.set(start.line, Math.max(hits.get(start.line) ?? 0, s[key] ?? 0));
  const sorted = [...hits].toSorted(([a], [b]) => a - b);
  return {
    ran: sorted.flatMap(([line, count]) => (count > 0 ? [line] : [])),
    idle: sorted.flatMap(([line, count]) => (count > 0 ? [] : [line])),
  };
}

const functions = ({ fnMap, f }: FileCoverage): string[] =>
  Object.entries(fnMap).map(([key, { name }]) => `${name} ${f[key]}`);
const branches = ({ branchMap, b }: FileCoverage): string[] =>
  Object.entries(branchMap).map(([key, { loc }]) => `${loc.start.line}: ${b[key]?.join()}`);

describe("the report has lines, functions and branches of components", () => {
  let reports: Map<string, Record<string, FileCoverage>>;
  beforeAll(async () => {
    reports = await measure();
  });

  it.each(engines)("%s", (engine) => {
    const report = reports.get(engine) ?? {};
    const components = Object.entries(coveredProject(engine)).filter(([name]) => !name.includes(".test."));
    expect(Object.keys(report).toSorted()).toEqual(components.map(([name]) => name).toSorted());
    for (const [name, text] of components) {
      const found = report[name];
      expect([name, found && lines(found)]).toEqual([name, { ran: marked(text, "+"), idle: marked(text, "-") }]);
      // A file that ran in the test and in the sandbox is counted once.
      const starts = Object.values(found?.statementMap ?? {}).map(({ start }) => `${start.line}:${start.column}`);
      expect([name, starts]).toEqual([name, [...new Set(starts)]]);
    }
    const { "sources/feed.ts": feed, "twice.mjs": twice, "common/words.ts": words } = report;
    // Counts include calls that threw or were stopped.
    expect(feed && branches(feed)).toEqual(["12: 3,0", "17: 0,3", "23: 1,2", "26: 1,1"]);
    expect(feed && functions(feed).map((text) => text.split(" ")[1])).toEqual(["0", "3", "3"]);
    // Both the test and the sandbox ran these files: each function is listed once.
    expect(twice && functions(twice).map((text) => text.split(" ")[0])).toEqual(["once", "make", "twice"]);
    const [upper, ...unnamed] = words ? functions(words) : [];
    expect([upper, ...unnamed.map((text) => text.split(" ")[0])]).toEqual([
      "upper 3",
      "(anonymous_1)",
      "(anonymous_2)",
    ]);
  });
});

it("without coverage there is no instrumentation", () => {
  expect(findInstrumentation()).toBeUndefined();
});

it("a provider that does not see components gives a warning", () => {
  const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  vi.stubGlobal("__vitest_worker__", { config: { root: folders, coverage: { enabled: true, provider: "v8" } } });
  const found = findInstrumentation();
  vi.unstubAllGlobals();
  expect([found, warn.mock.calls]).toEqual([
    undefined,
    [["Coverage does not include components: the provider must be istanbul, got v8."]],
  ]);
  warn.mockRestore();
});
