import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import type { ProcessEnd } from "../../../model/src/process/guarded-process.ts";
import type { BundleChild } from "./bundle-child.ts";
import type { BuildReply } from "./bundle-messages.ts";
import { createBuilder, createBundler } from "./bundler.ts";
import { failure, writeFiles } from "../bundle.cases.ts";

const megabyte = 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), "builder-process-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A package whose bundle has 14 MB, as the largest that components import. */
function largePackage(): Record<string, string> {
  const names = Array.from({ length: 350 }, (_, index) => `part${index}`);
  const part = Array.from(
    { length: 20 },
    (_, index) =>
      `/** What resource number ${index} can be asked for, in words that nobody bundles. */\n` +
      `exports.Resource${index} = class Resource${index} { constructor(context) { this.context = context; }\n` +
      `  get(params) { return this.context.ask(${JSON.stringify(`/v1/resources/${index}/`.repeat(110))}, params); } };\n`,
  ).join("");
  return {
    "package.json": `{ "name": "large", "version": "1.0.0", "main": "index.js" }`,
    "index.js": names.map((name) => `exports.${name} = require("./${name}.js");\n`).join(""),
    ...Object.fromEntries(names.map((name) => [`${name}.js`, part])),
  };
}

test("a large package leaves later builds all of their memory", async () => {
  const bundler = createBundler({ timeoutMs: 20_000, memoryBytes: 200 * megabyte, codeBytes: megabyte });
  const root = writeFiles(folder, "large", {
    "feed.mjs": `import large from "large"; export default { name: "Large", large };`,
    ...Object.fromEntries(Object.entries(largePackage()).map(([name, text]) => [`node_modules/large/${name}`, text])),
  });
  const use = { install: () => Promise.reject(new Error("There is nothing to install")) };
  const { bundle } = await bundler.bundle({ file: join(root, "feed.mjs"), root }, use);
  expect(bundle.length).toBeGreaterThan(10 * megabyte);
  for (let index = 0; index < 60; index += 1)
    expect((await bundler.bundle({ code: `export default ${index};` })).bundle).toContain(String(index));
  await bundler.close();
});

interface Fakes {
  readonly start: () => BundleChild;
  readonly starts: () => number;
}

type Ending = "built" | "built large" | ProcessEnd["kind"];
const built: BuildReply = {
  kind: "built",
  bundle: "",
  sourceMap: "",
  code: "",
  contentHash: "",
  files: [],
  ofProject: [],
  absent: [],
  links: [],
  manifests: [],
};

/** Processes that give these answers, each in its turn, and end with a bad one. */
function fakeProcesses(...answers: readonly (readonly Ending[])[]): Fakes {
  let starts = 0;
  return {
    starts: () => starts,
    start() {
      const own = [...(answers[starts] ?? [])];
      starts += 1;
      let alive = true;
      return {
        get alive() {
          return alive;
        },
        findMemory: () => 0,
        ask() {
          const kind = own.shift() ?? "died";
          alive = kind === "built" || kind === "built large";
          return Promise.resolve(
            kind === "built" ? built : kind === "built large" ? { ...built, isLarge: true } : { kind },
          );
        },
        kill: () => Promise.resolve(),
      };
    },
  };
}
const limits = { timeoutMs: 1_000, memoryBytes: megabyte, codeBytes: megabyte };

test.each(["out_of_memory", "out_of_cpu_time", "timeout", "died"] as const)(
  "what is refused in a used process is tried in a fresh one: %s",
  async (kind) => {
    const { start, starts } = fakeProcesses(["built", kind], ["built"]);
    const builder = createBuilder(limits, start);
    await builder.build({ code: "1" });
    await builder.build({ code: "2" });
    expect(starts()).toBe(2);
  },
);

test("a process that has built a large package builds nothing else", async () => {
  const { start, starts } = fakeProcesses(["built", "built large", "built"], ["built"]);
  const builder = createBuilder(limits, start);
  await builder.build({ code: "1" });
  expect(await builder.build({ code: "2" })).not.toHaveProperty("isLarge");
  expect(starts()).toBe(1);
  await builder.build({ code: "3" });
  expect(starts()).toBe(2);
});

test("what is refused in a fresh process is refused", async () => {
  const { start, starts } = fakeProcesses(["out_of_cpu_time"], ["built"]);
  const error = await failure(createBuilder(limits, start).build({ code: "1" }));
  expect(error.message).toContain("took longer than 1000 ms of processor time");
  expect(starts()).toBe(1);
});

test("beside cached builds a process starts early only where the code is changing", () => {
  const buildsFolder = writeFiles(folder, "builds", { "one.json": "" });
  const { start, starts } = fakeProcesses([]);
  const builder = createBuilder({ ...limits, buildsFolder }, start);
  builder.warm();
  expect(starts()).toBe(0);
  builder.warm(true);
  builder.warm(true);
  expect(starts()).toBe(1);
  const others = fakeProcesses([]);
  createBuilder({ ...limits, buildsFolder: join(folder, "none") }, others.start).warm();
  expect(others.starts()).toBe(1);
});
