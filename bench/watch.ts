import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";

import { install } from "./harness.ts";
import { machine, median } from "./machine.ts";

/** From a saved file to the result of its test in `vitest --watch`: a component with a harness test, and a plain module. */
export interface WatchReport {
  readonly edits: number;
  /** Median, ms. */
  readonly harness: number;
  readonly empty: number;
  /** Of the reruns, as vitest measures them; median, ms. */
  readonly harnessRun: number;
  readonly emptyRun: number;
}

const edits = 12;

const component = (mark: number): string => `export default {
  name: "Feed", version: "0.1.0", dedupe: "unique",
  props: { url: { type: "string" }, timer: { type: "$.interface.timer", default: { intervalSeconds: 60 } }, db: "$.service.db" },
  async run() {
    for (const item of await (await fetch(this.url)).json()) this.$emit({ ...item, mark: ${mark} }, { id: item.id });
    this.db.set("mark", ${mark});
  },
};
`;
const harnessTest = `import { source } from "@x/testing/vitest";
import { expect, test } from "vitest";
import component from "./edited.mjs";

test("items are emitted once", async () => {
  const feed = source(component, {
    props: { url: "https://api.example.com/items" },
    routes: { "GET https://api.example.com/items": [{ id: 1 }, { id: 2 }] },
  });
  await feed.deploy();
  await feed.tick("2m");
  expect(feed).toHaveEmittedTimes(2);
  expect(feed).toHaveDeduped(2);
  console.log("mark", feed.db.mark);
});
`;
const plain = (mark: number): string => `export default ${mark};\n`;
const emptyTest = `import { expect, test } from "vitest";
import mark from "./edited.mjs";

test("is a number", () => {
  expect(mark).toEqual(expect.any(Number));
  console.log("mark", mark);
});
`;

interface Watched extends AsyncDisposable {
  /** Saves the next version; resolves with the time to its result, and that of vitest, in ms. */
  edit(): Promise<readonly [whole: number, run: number]>;
}

async function watch(folder: string, text: (mark: number) => string): Promise<Watched> {
  const { PATH, HOME } = process.env;
  const vitest = join(folder, "../node_modules/vitest/vitest.mjs");
  writeFileSync(join(folder, "edited.mjs"), text(0));
  const child = spawn(process.execPath, [vitest, "--watch", "--no-color"], {
    cwd: folder,
    env: { ...(PATH !== undefined && { PATH }), ...(HOME !== undefined && { HOME }), NO_COLOR: "1" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  let out = "";
  let seen: (() => void) | undefined;
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    out += chunk;
    seen?.();
  });

  /** The duration that vitest prints below the result of this version. */
  async function resultOf(mark: number): Promise<number> {
    const wanted = new RegExp(`mark ${mark}\\n[^]*Duration +([\\d.]+)(ms|s)`);
    for (;;) {
      const found = wanted.exec(out);
      if (/ failed/.test(out)) throw new Error(out);
      if (found) {
        out = "";
        return Number(found[1]) * (found[2] === "s" ? 1_000 : 1);
      }
      await Promise.race([new Promise<void>((resolve) => (seen = resolve)), ended]);
      if (child.exitCode !== null) throw new Error(`vitest has ended:\n${out}`);
    }
  }
  await resultOf(0);
  let last = 0;
  return {
    async edit() {
      const begun = performance.now();
      writeFileSync(join(folder, "edited.mjs"), text((last += 1)));
      const run = await resultOf(last);
      return [performance.now() - begun, run];
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Edits both projects alternately; ignores the first two edits. */
export async function runWatchBench(): Promise<WatchReport> {
  const folder = mkdtempSync(join(tmpdir(), "x-watch-"));
  try {
    install(folder);
    const place = (name: string, test: string): string => {
      const project = join(folder, name);
      mkdirSync(project);
      writeFileSync(join(project, "package.json"), '{ "type": "module" }\n');
      writeFileSync(join(project, "edited.test.mjs"), test);
      return project;
    };
    await using harness = await watch(place("harness", harnessTest), component);
    await using empty = await watch(place("empty", emptyTest), plain);
    const times = {
      harness: [] as number[],
      harnessRun: [] as number[],
      empty: [] as number[],
      emptyRun: [] as number[],
    };
    for (let edit = 0; edit < edits + 2; edit++) {
      const [whole, run] = await harness.edit();
      const [emptyWhole, emptyRun] = await empty.edit();
      if (edit < 2) continue;
      times.harness.push(whole);
      times.harnessRun.push(run);
      times.empty.push(emptyWhole);
      times.emptyRun.push(emptyRun);
    }
    return {
      edits,
      harness: median(times.harness),
      empty: median(times.empty),
      harnessRun: median(times.harnessRun),
      emptyRun: median(times.emptyRun),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const ms = (time: number): string => `${time.toFixed(0)} ms`;

export const formatWatchReport = ({ edits: count, harness, empty, harnessRun, emptyRun }: WatchReport): string =>
  `vitest --watch, from an edit to its result, ${count} edits: harness test ${ms(harness)} (the run ${ms(harnessRun)}), ` +
  `${(harness / empty).toFixed(2)} x that of an empty test (${ms(empty)}; the run ${ms(emptyRun)})`;

if (import.meta.main) {
  console.log(machine());
  console.log(formatWatchReport(await runWatchBench()));
}
