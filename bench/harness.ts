import { execFile } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { machine, median } from "./machine.ts";

/** `vitest run` on a file of harness tests in an author's project, compared with the same number of empty tests. */
export interface HarnessReport {
  readonly tests: number;
  readonly runs: number;
  readonly harness: ProjectReport;
  readonly empty: ProjectReport;
}

export interface ProjectReport {
  /** Duration of the whole process, ms. */
  readonly median: number;
  readonly shortest: number;
  /** Duration of all tests including the start of the engine, ms; of the fastest run. */
  readonly together: number;
  /** Median duration of the tests after the first, ms. */
  readonly each: number;
}

interface VitestReport {
  readonly success: boolean;
  readonly testResults: readonly { readonly assertionResults: readonly { readonly duration: number }[] }[];
}

const runs = 9;
const tests = 20;
const root = fileURLToPath(new URL("..", import.meta.url));
const packages = join(root, "packages");

const component = `export default {
  name: "Feed", version: "0.1.0", dedupe: "unique",
  props: {
    url: { type: "string" },
    timer: { type: "$.interface.timer", default: { intervalSeconds: 60 } },
    db: "$.service.db",
  },
  async run() {
    const items = await (await fetch(this.url)).json();
    for (const item of items) this.$emit(item, { id: item.id, summary: item.title });
    this.db.set("last", items.length);
  },
};
`;
const harnessTests = `import { source } from "@x/testing/vitest";
import { expect, test } from "vitest";

test.each(Array.from({ length: ${tests} }, (_, index) => index))("item %i is emitted once", async (id) => {
  const feed = source(new URL("feed.mjs", import.meta.url), {
    props: { url: "https://api.example.com/items" },
    routes: { "GET https://api.example.com/items": [{ id, title: "a" }, { id: id + 1, title: "b" }] },
  });
  await feed.deploy();
  await feed.tick("2m");
  expect(feed).toHaveEmitted([{ id }, { id: id + 1 }]);
  expect(feed).toHaveDeduped(2);
});
`;
const emptyTests = `import { expect, test } from "vitest";

test.each(Array.from({ length: ${tests} }, (_, index) => index))("item %i", (id) => {
  expect(id).toBe(id);
});
`;

/** Packages as npm installs them: files below node_modules, which vitest does not transform. */
export function install(folder: string): void {
  const modules = join(folder, "node_modules");
  for (const name of ["types", "runtime", "testing"]) {
    const target = join(modules, "@x", name);
    cpSync(join(packages, name, "dist"), join(target, "dist"), { recursive: true });
    cpSync(join(packages, name, "package.json"), join(target, "package.json"));
  }
  const link = (from: string, name: string): void => {
    const target = join(modules, name);
    mkdirSync(dirname(target), { recursive: true });
    symlinkSync(realpathSync(join(from, name)), target);
  };
  for (const name of ["runtime", "testing"]) {
    const { dependencies } = JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8")) as {
      dependencies: { readonly [name: string]: string };
    };
    const own = Object.keys(dependencies).filter((dependency) => !dependency.startsWith("@x/"));
    for (const dependency of own) link(join(packages, name, "node_modules"), dependency);
  }
  link(join(packages, "testing/node_modules"), "vitest");
}

interface Timed {
  readonly wholeMs: number;
  readonly durations: readonly number[];
}

async function runTests(folder: string): Promise<Timed> {
  // Conditions and caches of this process must not affect that of an author.
  const { PATH, HOME } = process.env;
  const vitest = join(folder, "../node_modules/vitest/vitest.mjs");
  const begun = performance.now();
  const args = ["run", "--reporter=json", "--outputFile=report.json"];
  await promisify(execFile)(process.execPath, [vitest, ...args], {
    cwd: folder,
    env: { PATH, HOME },
  });
  const wholeMs = performance.now() - begun;
  const text = readFileSync(join(folder, "report.json"), "utf8");
  const report = JSON.parse(text) as VitestReport;
  const durations = report.testResults.flatMap(({ assertionResults }) => assertionResults.map((each) => each.duration));
  if (!report.success || durations.length !== tests) throw new Error(`The tests failed:\n${text}`);
  return { wholeMs, durations };
}

function summary(timed: readonly Timed[]): ProjectReport {
  const whole = timed.map(({ wholeMs }) => wholeMs);
  const sums = timed.map(({ durations }) => durations.reduce((sum, each) => sum + each, 0));
  const later = timed.flatMap(({ durations }) => durations.slice(1));
  return {
    median: median(whole),
    shortest: Math.min(...whole),
    together: Math.min(...sums),
    each: median(later),
  };
}

/** Alternates; ignores the first run of each, which fills the caches. */
export async function runHarnessBench(): Promise<HarnessReport> {
  const folder = mkdtempSync(join(tmpdir(), "x-harness-"));
  const projects = { harness: join(folder, "harness"), empty: join(folder, "empty") };
  try {
    install(folder);
    for (const project of Object.values(projects)) {
      mkdirSync(project);
      writeFileSync(join(project, "package.json"), '{ "type": "module" }\n');
    }
    writeFileSync(join(projects.harness, "feed.mjs"), component);
    writeFileSync(join(projects.harness, "feed.test.mjs"), harnessTests);
    writeFileSync(join(projects.empty, "empty.test.mjs"), emptyTests);
    const timed: { readonly [project in keyof typeof projects]: Timed[] } = { harness: [], empty: [] };
    for (let run = 0; run <= runs; run++) {
      const [harness, empty] = [await runTests(projects.harness), await runTests(projects.empty)];
      if (run === 0) continue;
      timed.harness.push(harness);
      timed.empty.push(empty);
    }
    return { tests, runs, harness: summary(timed.harness), empty: summary(timed.empty) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const ms = (time: number): string => `${time.toFixed(time < 10 ? 1 : 0)} ms`;

export const formatHarnessReport = ({ tests: count, runs: times, harness, empty }: HarnessReport): string =>
  `vitest run, ${count} harness tests, ${times} runs: median ${ms(harness.median)} from start to end (shortest ${ms(harness.shortest)}), ` +
  `${(harness.median / empty.median).toFixed(2)} x that of ${count} empty tests (${ms(empty.median)}, shortest ${ms(empty.shortest)}); ` +
  `the tests together ${ms(harness.together)}, each after the first ${ms(harness.each)}`;

if (import.meta.main) {
  console.log(machine());
  console.log(formatHarnessReport(await runHarnessBench()));
}
