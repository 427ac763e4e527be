import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { machine, median } from "./machine.ts";

/** `x test` on a file of harness tests, as it is installed, from start to end. */
export interface HarnessReport {
  readonly tests: number;
  readonly runs: number;
  /** Of the whole process, ms. */
  readonly median: number;
  readonly shortest: number;
  /** Of all tests together, the start of the engine included, ms; of the fastest run. */
  readonly together: number;
  /** Of one test, ms: the median of those after the first. */
  readonly each: number;
}

interface VitestReport {
  readonly success: boolean;
  readonly testResults: readonly { readonly assertionResults: readonly { readonly duration: number }[] }[];
}

const runs = 7;
const tests = 20;
const root = fileURLToPath(new URL("..", import.meta.url));
const main = join(root, "packages/cli/dist/main.js");

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
const testFile = `import { source } from "@x/testing/vitest";
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

interface Timed {
  readonly wholeMs: number;
  readonly durations: readonly number[];
}

async function runTests(folder: string): Promise<Timed> {
  const begun = performance.now();
  const { stdout } = await promisify(execFile)(process.execPath, [main, "test", "--json"], { cwd: folder });
  const wholeMs = performance.now() - begun;
  const report = JSON.parse(stdout) as VitestReport;
  const durations = report.testResults.flatMap(({ assertionResults }) => assertionResults.map((each) => each.duration));
  if (!report.success || durations.length !== tests) throw new Error(`The tests failed:\n${stdout}`);
  return { wholeMs, durations };
}

/** The first run, which fills the caches, does not count. */
export async function runHarnessBench(): Promise<HarnessReport> {
  // Inside the workspace, so that the packages are found.
  mkdirSync(join(root, "test/.tmp"), { recursive: true });
  const folder = mkdtempSync(join(root, "test/.tmp/harness-"));
  try {
    writeFileSync(join(folder, "feed.mjs"), component);
    writeFileSync(join(folder, "feed.test.mjs"), testFile);
    writeFileSync(join(folder, "vitest.config.mjs"), "export default {};\n");
    await runTests(folder);
    const timed: Timed[] = [];
    for (let run = 0; run < runs; run++) timed.push(await runTests(folder));
    const whole = timed.map(({ wholeMs }) => wholeMs);
    const sums = timed.map(({ durations }) => durations.reduce((sum, each) => sum + each, 0));
    const later = timed.flatMap(({ durations }) => durations.slice(1));
    const together = Math.min(...sums);
    return { tests, runs, median: median(whole), shortest: Math.min(...whole), together, each: median(later) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const ms = (time: number): string => `${time.toFixed(time < 10 ? 1 : 0)} ms`;

export const formatHarnessReport = ({ tests: count, runs: times, ...report }: HarnessReport): string =>
  `x test, ${count} harness tests, ${times} runs: median ${ms(report.median)} from start to end (shortest ${ms(report.shortest)}), the tests together ${ms(report.together)}, each after the first ${ms(report.each)}`;

if (import.meta.main) {
  console.log(machine());
  console.log(formatHarnessReport(await runHarnessBench()));
}
